"""Optimisers touch the rows of the batch only, and the schedule is as described."""

import pytest
import torch

from heedful.network.fronts.embed import Embed
from heedful.settings import TrainSettings
from heedful.training.loop.optim import clip_gradients, learning_rate, make_optimisers


@pytest.mark.parametrize("optimiser", ["adam", "adamw", "sgd", "adagrad"])
def test_a_step_changes_the_rows_of_the_batch_and_no_others(optimiser):
    embed = Embed(50, 4)
    before = embed.weight.detach().clone()
    settings = TrainSettings(optimiser=optimiser, lr=0.1, l2=0.01)
    optimisers = make_optimisers(torch.nn.ModuleList([embed, torch.nn.Linear(4, 1)]), [embed.weight], settings)
    embed(torch.tensor([[3, 7, 3]])).sum().backward()
    assert embed.weight.grad.is_sparse
    for o in optimisers:
        o.step()
    changed = (embed.weight != before).any(1).nonzero().flatten().tolist()
    assert changed == [3, 7]


def test_frozen_vectors_have_no_optimiser():
    embed = Embed(50, 4, tune=False)
    made = make_optimisers(torch.nn.ModuleList([embed, torch.nn.Linear(4, 1)]), [embed.weight], TrainSettings())
    assert len(made) == 1


def test_the_pad_stays_zero():
    embed = Embed(50, 4)
    (embed(torch.tensor([[0, 1]])) + 1).square().sum().backward()
    assert embed.weight.grad.to_dense()[0].abs().max() == 0


def test_clipping_counts_sparse_and_dense_gradients_together():
    sparse, dense = Embed(5, 2), torch.nn.Linear(2, 1, bias=False)
    sparse(torch.tensor([[3, 3, 4]])).sum().backward()  # row 3 twice: (2, 2), row 4: (1, 1)
    dense.weight.grad = torch.tensor([[3.0, 4.0]])
    whole = (2**2 + 2**2 + 1 + 1 + 25) ** 0.5
    clip_gradients([sparse.weight, dense.weight], 1.0)
    assert torch.allclose(dense.weight.grad, torch.tensor([[3.0, 4.0]]) / whole)
    assert torch.allclose(sparse.weight.grad.to_dense()[3], torch.tensor([2.0, 2.0]) / whole)


def test_small_gradients_are_left_alone():
    dense = torch.nn.Linear(2, 1, bias=False)
    dense.weight.grad = torch.tensor([[0.3, 0.4]])
    clip_gradients([dense.weight], 1.0)
    assert torch.equal(dense.weight.grad, torch.tensor([[0.3, 0.4]]))


def test_the_schedule_rises_then_falls():
    settings = TrainSettings(lr=1.0, warmup=0.1, schedule="linear")
    rates = [learning_rate(settings, step, 100) for step in range(100)]
    assert rates[:10] == sorted(rates[:10])
    assert max(rates) == 1.0
    assert rates[10:] == sorted(rates[10:], reverse=True)
    assert rates[-1] < 0.05


@pytest.mark.parametrize("schedule", ["linear", "cosine", "constant"])
def test_no_schedule_gives_a_rate_outside_its_range(schedule):
    settings = TrainSettings(lr=0.5, schedule=schedule)
    assert all(0 < learning_rate(settings, step, 37) <= 0.5 for step in range(37))


def test_without_warmup_the_rate_starts_at_lr():
    settings = TrainSettings(lr=1.0, warmup=0.0, schedule="linear")
    assert [learning_rate(settings, step, 4) for step in range(4)] == [1.0, 0.75, 0.5, 0.25]


def test_weight_decay_is_part_of_the_gradient_with_adam_and_apart_from_it_with_adamw():
    def after_a_step(optimiser):
        layer = torch.nn.Linear(1, 1, bias=False)
        torch.nn.init.constant_(layer.weight, 2.0)
        (made,) = make_optimisers(layer, [], TrainSettings(optimiser=optimiser, lr=0.1, l2=0.5))
        layer.weight.grad = torch.zeros(1, 1)
        made.step()
        return layer.weight.item()

    assert after_a_step("adam") == pytest.approx(2.0 - 0.1)  # a step of lr, whatever the size of l2 · weight
    assert after_a_step("adamw") == pytest.approx(2.0 - 0.1 * 0.5 * 2.0)
    assert after_a_step("sgd") == pytest.approx(2.0 - 0.1 * 0.5 * 2.0)
