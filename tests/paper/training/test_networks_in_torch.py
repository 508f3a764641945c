import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from held.errors import UsageError
from held.paper.network_inputs import FORMAT_SIZE
from held.paper.training.networks import (
    BiLstm,
    HeadingBatch,
    Headings,
    MaskedBatchNorm,
    PutOrSkip,
    encode_in_buckets,
)
from held.training.settings import HeadingSettings, PutOrSkipSettings, settings_for
from tests.training.small_corpus import HEADINGS

VECTORS = torch.randn(9, 4, generator=torch.Generator().manual_seed(0))


@settings(max_examples=30)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=12))
def test_a_bi_lstm_reads_padded_sequences_as_if_packed(lengths: list[int]) -> None:
    lstm, both = BiLstm(3, 8), torch.nn.LSTM(3, 4, batch_first=True, bidirectional=True)
    for name, weight in both.named_parameters():
        own = lstm.back if name.endswith("_reverse") else lstm.ahead
        weight.data = getattr(own, name.removesuffix("_reverse")).data
    x, ends = torch.randn(len(lengths), 9, 3), torch.tensor(lengths)
    packed = torch.nn.utils.rnn.pack_padded_sequence(x, ends, batch_first=True, enforce_sorted=False)
    wanted = both(packed)[1][0].transpose(0, 1).flatten(1)
    assert torch.allclose(encode_in_buckets(lstm, x, ends, edges=(2, 5)), wanted, atol=1e-6)


def test_masked_batch_norm_is_batch_norm_over_the_real_objects() -> None:
    own, known = MaskedBatchNorm(5), torch.nn.BatchNorm1d(5)
    x = torch.randn(2, 5, 6)
    mask = torch.ones(2, 1, 6)
    mask[1, :, 4:] = 0
    real = torch.cat([x[0], x[1, :, :4]], 1).T  # (10, 5)
    assert torch.allclose(own(x, mask)[0].T, known(real)[:6], atol=1e-5)
    assert known.running_mean is not None
    assert torch.allclose(own.running_mean, known.running_mean, atol=1e-6)


def test_padding_does_not_change_what_the_heading_network_says() -> None:
    form = settings_for(HeadingSettings, "headings", preset="paper", changes=HEADINGS)
    network = Headings(form, VECTORS).eval()
    batch = heading_batch(width=6, pad=0)
    padded = heading_batch(width=6, pad=5)
    assert torch.allclose(network(batch), network(padded)[:, :6], atol=1e-5)


def heading_batch(*, width: int, pad: int) -> HeadingBatch:
    draw = torch.Generator().manual_seed(1)
    texts = torch.randint(3, (2, width), generator=draw)
    formats = torch.randn(2, width, FORMAT_SIZE, generator=draw)
    mask = torch.ones(2, width)
    ids, lengths = torch.tensor([[2, 3], [4, 0], [5, 6]]), torch.tensor([2, 1, 2])
    rows = [torch.nn.functional.pad(x, (0, pad)) for x in (texts, mask, mask, mask)]
    wide = torch.nn.functional.pad(formats, (0, 0, 0, pad))
    return HeadingBatch(ids, lengths, rows[0], wide, rows[1], rows[2], rows[3])


def test_the_preset_has_the_sizes_of_the_paper() -> None:
    form = settings_for(PutOrSkipSettings, "put-or-skip", preset="paper")
    network = PutOrSkip(form, torch.zeros(100, form.embedding_size))
    shapes = {name: tuple(weight.shape) for name, weight in network.named_parameters()}
    assert shapes["encoder.embedding.weight"] == (100, 24)
    assert shapes["encoder.lstm.ahead.weight_ih_l0"] == (4 * 64, 24)
    assert shapes["strands.text.back.weight_ih_l0"] == (4 * 256, 128)
    assert shapes["strands.format.ahead.weight_hh_l0"] == (4 * 32, 32)
    assert shapes["judge.0.weight"] == (128, 512 + 64)


def test_nine_layers_see_twenty_five_objects() -> None:
    form = settings_for(HeadingSettings, "headings", preset="paper")
    assert 1 + sum(kernel - 1 for kernel in form.kernels) == 25
    assert len(form.kernels) == len(form.channels) == 9


@pytest.mark.parametrize("off", ["text", "format"])
def test_what_is_switched_off_is_no_part_of_the_network(off: str) -> None:
    form = settings_for(PutOrSkipSettings, "put-or-skip", preset="paper", changes=[f"{off}=false"])
    names = {name for name, _ in PutOrSkip(form, VECTORS).named_parameters()}
    assert not any(off in name or (off == "text" and "encoder" in name) for name in names)


def test_equal_seeds_give_equal_weights() -> None:
    weights = [PutOrSkip(PutOrSkipSettings(seed=seed), VECTORS).state_dict() for seed in (3, 3, 4)]
    name = "judge.0.weight"
    assert torch.equal(weights[0][name], weights[1][name])
    assert not torch.equal(weights[0][name], weights[2][name])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("learning_rat=1", "no such setting: learning_rat .*learning_rate"),
        ("epochs=many", "not key=value"),
        ("epochs=1.5", "epochs = 1.5 is no int"),
        ("epochs=true", "epochs = True is no int"),
        ("seed", "seed = None is no int"),
        ("misplaced=-1", "below 0"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(change: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        settings_for(PutOrSkipSettings, "put-or-skip", preset="paper", changes=[change])


def test_a_network_that_sees_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="has no input"):
        PutOrSkipSettings(text=False, format=False)
