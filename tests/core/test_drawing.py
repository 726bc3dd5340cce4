import numpy as np

from algorithms.core.drawing import drawing

BOX = (-1.0, 1.0, 10.0, 14.0)


def test_a_point_fills_its_cell_and_those_within_the_pen() -> None:
    rng = np.random.default_rng(0)
    X = rng.uniform([-1.2, 9.5], [1.2, 14.5], size=(40, 2))
    for pen, cells in ((1.0, 32), (3.0, 32), (8.0, 20)):
        places = (X - [-1, 10]) / [2, 4] * cells
        A = drawing(X, BOX, pen, cells=cells)
        for i in range(cells):
            for j in range(cells):
                away = places - [j + 0.5, i + 0.5]
                inside = (np.floor(places) == [j, i]).all(axis=1).any()
                assert A[i, j] == (inside or (np.hypot(*away.T) <= pen / 2).any())


def test_points_outside_or_none_draw_nothing() -> None:
    assert not drawing(np.array([[50.0, 50.0]]), BOX, 2.0).any()
    assert drawing(np.array([[-1.0, 10.0]]), BOX, 1.0)[0, 0] == 1
