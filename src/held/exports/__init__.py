"""The hierarchy of a document in the forms that people and programs go on with."""
