"""Model files, the weights that ship with the package, the registry of presets, inference and calibration."""
