"""Annex II: laboratory tests, with the speed traces of the two cycles, second by second."""

from __future__ import annotations

from random import Random

from . import number, table

# phase of the light cycle: seconds, stops, highest speed, mean of moving
LIGHT = [("low", 589, 8, 56.5), ("medium", 433, 4, 76.6), ("high", 455, 3, 97.4), ("extra high", 323, 1, 131.3)]

TEXT = """
# Annex II Laboratory tests

## 1. General conditions

1.1. The test cell is kept at 23 °C ± 3 °C, the soak area at 23 °C ± 3 °C for not less than six and not more than thirty-six hours. The absolute humidity lies between 5.5 and 12.2 g of water per kg of dry air.

1.2. The dynamometer has a single roller of at least 1.2 m diameter and reproduces the road load within 2 %. It is verified by coasting down before the first test of each day; a deviation of more than 10 N at any speed between 15 and 130 km/h ends the day's testing until the cause has been found.

1.3. The fuel is the reference fuel of Annex VIII. The tank is drained and filled to 40 % ± 5 % of its capacity. Tires are set to the lowest pressure that the manufacturer recommends; their tread is at least 80 % of that of a new tire.

1.4. The driver follows the trace within ± 2.0 km/h and ± 1.0 s. Excursions are allowed up to ten times in a test and for not more than one second each. A test with a root mean square error of the speed of more than 1.3 km/h is void.

## 2. Light-duty cycle (WLTC)

2.1. The cycle lasts 1,800 seconds and consists of four phases. The first 589 seconds are driven after a cold start. Sampling begins with the first turn of the engine, and for vehicles that charge from the mains with the first movement.

2.2. Vehicles whose highest speed is below 120 km/h repeat the low phase in place of the extra high phase. Vehicles with a ratio of power to mass of 22 W/kg or less drive a trace that is scaled down by 15 % above 60 km/h.

2.3. Gears are shifted as calculated from the power curve, with a safety margin of 10 %. A gear is held for at least two seconds. Manual shifting in an automatic transmission is not used, unless the mode is the one that the vehicle chooses on starting.

2.4. Results of the phases are weighted by distance. They are corrected for the state of charge of the battery where the change in charge exceeds 0.5 % of the energy of the fuel, by the slope found in at least five tests.
"""

HEAVY_TEXT = """
## 3. Heavy-duty cycle (WHTC)

3.1. The cycle is given as speed and torque in percent of the mapped values. It is driven on the engine bench, cold and, after a soak of 10 minutes ± 1 minute, hot.

3.2. Speed is denormalized with the preferred speed, at which 51 % of the area below the torque curve lies, between idle and the speed of 95 % of the highest power. Torque is denormalized by the torque curve at the speed concerned. "m" means motoring; the torque is then set to the negative value of 40 % of the highest torque at that speed.

3.3. The work of the cycle shall lie between 85 % and 105 % of the work calculated. Regression of actual on set values shall give a standard error of at most 5 % for speed and at most 10 % for torque.

3.4. A stationary cycle of thirteen modes follows on the same day. Its modes and weights stand in Table II.10; each mode but the first lasts 120 seconds, of which the last 30 seconds are sampled.
"""

AFTER = """
## 4. Calculation of results

4.1. The mass of each pollutant is the product of the volume of diluted exhaust, the density at 273.15 K and 101.325 kPa, the humidity factor for nitrogen oxides, and the concentration corrected for that of the dilution air.

4.2. The dilution factor is 13.4 divided by the sum of the concentrations of carbon dioxide, hydrocarbons and carbon monoxide for petrol, and 13.5 for diesel, 11.9 for LPG, 9.5 for natural gas and 12.5 for ethanol.

4.3. Particle numbers are corrected for losses in the volatile particle remover at 10, 15, 30, 50 and 100 nm; the mean of the last three corrections is used.

4.4. Where regeneration takes place in intervals of less than 4,000 km, its emissions are added by the factor Ki, found from at least one complete regeneration. A Ki factor above 1.30 must be explained.

## 5. Tests at low and high temperature

5.1. The test at low temperature is driven at −7 °C ± 3 °C over the phases low, medium and high. The limits are multiplied as laid down in Article 5(7).

5.2. The test at high temperature is driven at 35 °C ± 3 °C with an irradiation of 850 W/m² and the air conditioning set to 23 °C. Nitrogen oxides shall not exceed 1.3 times the limit.

5.3. After a test at low temperature the vehicle is not started for at least six hours. A start without sampling in that time voids the test.
"""

MODES = [
    (1, "Motoring", "–", "0.24", "–"), (2, "0", "100", "0.08", "210"), (3, "55", "25", "0.10", "250"), (4, "55", "70", "0.03", "250"), (5, "35", "100", "0.02", "250"),
    (6, "25", "25", "0.08", "200"), (7, "45", "70", "0.03", "190"), (8, "45", "25", "0.06", "150"), (9, "55", "50", "0.05", "150"), (10, "75", "100", "0.02", "190"),
    (11, "35", "50", "0.08", "150"), (12, "35", "25", "0.10", "150"), (13, "0", "0", "0.11", "300"),
]  # fmt: skip


ROAD_LOAD = """
2.10. Road load is found by coasting down from 130 to 15 km/h on a level road, at least three times in each direction, with a wind of less than 5 m/s. Manufacturers of fewer than 1,000 units may use Table II.7 instead. Values between the lines are not interpolated: the next higher mass is used.

"""


def road_load() -> list[list[str]]:
    """Coefficients that grow with mass; energy demand over the four phases."""
    rows = []
    for mass in range(900, 3501, 100):
        f0, f2 = 0.14 * mass - 26, 2.4e-6 * mass + 0.0308
        rows.append(
            [
                number(mass),
                f"{f0:.1f}",
                "0.00",
                f"{f2:.4f}",
                f"{(f0 * 23.3 + f2 * 23.3 * 3450 + mass * 1.36) / 3600:.2f}",
            ]
        )
    return rows


def trace(seconds: int, stops: int, top: float, rng: Random) -> list[float]:
    """Speeds of one phase: micro-trips from stop to stop, the fastest of them reaching the top speed."""
    idle = [6 + rng.random() * 22 for _ in range(stops + 1)]
    moving = seconds - sum(idle)
    shares = [0.5 + rng.random() for _ in range(stops)]
    fastest = shares.index(max(shares))
    speeds: list[float] = []
    for n, share in enumerate(shares):
        speeds += [0.0] * round(idle[n])
        length = max(20, round(moving * share / sum(shares)))
        peak = top if n == fastest else top * (0.45 + 0.45 * rng.random())
        speeds += _trip(length, peak, rng)
    speeds += [0.0] * seconds
    return speeds[:seconds]


def _trip(length: int, peak: float, rng: Random) -> list[float]:
    """One micro-trip: up in less than a third of its length, a wavering cruise that touches the peak, and down."""
    up, down = max(5, round(length * 0.28)), max(5, round(length * 0.22))
    speeds = [peak * 0.93 * (1 - (1 - (k + 1) / up) ** 2) for k in range(up)]
    speed = peak * 0.93
    cruise = length - up - down
    for k in range(cruise):
        speed = min(peak, max(peak * 0.78, speed + (rng.random() - 0.48) * peak * 0.03))
        speeds.append(peak if k == cruise // 2 else speed)
    last = speeds[-1]
    speeds += [last * (1 - (k + 1) / down) for k in range(down)]
    return [round(v, 1) for v in speeds]


def speeds_table(
    caption: str, values: list[str], start: int, heads: tuple[str, ...], units: tuple[str, ...], across: int, rows: int
) -> str:
    """A trace in columns: time and value side by side, filled from top to bottom."""
    width = len(heads)
    body = []
    for r in range(rows):
        line: list[str] = []
        for c in range(across):
            k = c * rows + r
            line += [str(start + k), *values[k].split()] if k < len(values) else [""] * width
        body.append(line)
    header = [[h for _ in range(across) for h in heads], [u for _ in range(across) for u in units]]
    return table(caption, header, body, ",".join(["1"] * width * across), "r" * width * across, size=7.6)


def annex() -> str:
    """The whole annex in markup."""
    rng = Random(2026)
    parts = [TEXT]
    second = 0
    phases = [[name.capitalize(), number(s), str(stops), f"{top:.1f}"] for name, s, stops, top in LIGHT]
    parts.append(
        table(
            "Table II.1. Phases of the light-duty cycle",
            [["Phase", "Duration", "Stops", "Highest speed"], ["^", "s", "number", "km/h"]],
            phases,
            "40,30,30,40",
            "lrrr",
        )
    )
    scaled: list[str] = []
    for n, (name, seconds, stops, top) in enumerate(LIGHT):
        speeds = trace(seconds, stops, top, rng)
        values = [f"{v:.1f}" for v in speeds]
        scaled += [f"{v if v <= 60 else 60 + (v - 60) * 0.85:.1f}" for v in speeds]
        across = 6
        rows = -(-len(values) // across)
        parts.append(
            f"\n2.{5 + n}. The speeds of the phase {name} are those of Table II.{2 + n}. Times are counted from the start of the cycle.\n"
        )
        parts.append(
            speeds_table(
                f"Table II.{2 + n}. Light-duty cycle, phase {name}",
                values,
                second,
                ("Time", "Speed"),
                ("s", "km/h"),
                across,
                rows,
            )
        )
        second += seconds
    parts.append(
        "\n2.9. Vehicles with a ratio of power to mass of 22 W/kg or less drive the speeds of Table II.6, in which the part of each speed above 60 km/h is reduced by 15 %.\n"
    )
    parts.append(
        speeds_table(
            "Table II.6. Light-duty cycle for vehicles of low power",
            scaled,
            0,
            ("Time", "Speed"),
            ("s", "km/h"),
            6,
            300,
        )
    )
    parts.append(
        ROAD_LOAD
        + table(
            "Table II.7. Road load by test mass, where no coast-down has been carried out",
            [["Test mass", "f0", "f1", "f2", "Energy demand"], ["kg", "N", "N/(km/h)", "N/(km/h)²", "kWh per cycle"]],
            road_load(),
            "34,28,30,34,34",
            "rrrrr",
        )
    )
    parts.append(HEAVY_TEXT)
    for n, (name, seconds, top) in enumerate((("urban", 900, 72.0), ("rural and motorway", 900, 95.0))):
        speed = trace(seconds, 9 - 5 * n, top, rng)
        values = [
            f"{v:.1f} {'m' if rng.random() < 0.08 and v > 5 else f'{min(100, v * (0.4 + rng.random())):.1f}'}"
            for v in speed
        ]
        parts.append(
            speeds_table(
                f"Table II.{8 + n}. Heavy-duty cycle, {name}",
                values,
                900 * n,
                ("Time", "Speed", "Torque"),
                ("s", "%", "%"),
                4,
                225,
            )
        )
    parts.append(
        table(
            "Table II.10. Modes of the stationary cycle",
            [["Mode", "Speed", "Torque", "Weight", "Length"], ["^", "%", "%", "–", "s"]],
            MODES,
            "20,34,34,34,34",
            "crrrr",
        )
    )
    return "\n".join(parts) + AFTER
