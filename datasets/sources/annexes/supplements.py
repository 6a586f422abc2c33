"""Numeric tables that several annexes refer to, computed from the formulas of the regulation."""

from __future__ import annotations

from math import exp

from . import number, table

GASES = [
    ("Carbon monoxide in nitrogen", "40", "800", "4,500", "1.0", 36), ("Carbon dioxide in nitrogen", "0.5 %", "4 %", "14 %", "0.8", 60), ("Nitric oxide in nitrogen", "20", "250", "900", "1.0", 24), ("Nitrogen dioxide in air", "10", "120", "450", "2.0", 12),
    ("Propane in air", "5", "90", "600", "1.0", 36), ("Methane in air", "5", "60", "900", "1.0", 36), ("Ammonia in nitrogen", "5", "50", "250", "3.0", 12), ("Nitrous oxide in nitrogen", "1", "20", "180", "1.5", 24), ("Formaldehyde in nitrogen", "2", "10", "45", "4.0", 6), ("Oxygen in nitrogen", "2 %", "10 %", "21 %", "0.5", 60),
    ("Hydrogen and helium, 40 : 60", "–", "–", "–", "2.0", 60), ("Zero air, hydrocarbons below 1 ppm", "–", "–", "–", "–", 12), ("Pure nitrogen, oxides below 0.1 ppm", "–", "–", "–", "–", 24), ("Ethane in nitrogen, for the cutter", "–", "85", "–", "2.0", 24),
]  # fmt: skip


def gases() -> str:
    """Section 4 of Annex III."""
    rows = [
        [name, low, middle, high, f"± {accuracy} %" if accuracy != "–" else "–", str(months)]
        for name, low, middle, high, accuracy, months in GASES
    ]
    return (
        "\n## 4. Calibration gases\n\n4.1. For each gas three concentrations are held in stock, unless a gas divider is used. Values without a unit are ppm by volume. The last column gives the time for which a bottle may be used after it was filled.\n\n"
        "4.2. A new bottle is compared with the old one before the latter is empty. A difference of more than the sum of both uncertainties is reported to the supplier, and both bottles are set aside.\n\n"
        "4.3. Bottles stand in the test cell for at least four hours before use. Regulators are of stainless steel for nitrogen dioxide and ammonia, and are flushed three times after each change.\n\n"
        + table(
            "Table III.2. Calibration gases",
            [["Gas", "Concentration", "<", "<", "Uncertainty", "Use"], ["^", "Low", "Middle", "High", "^", "months"]],
            rows,
            "58,20,20,20,24,16",
            "lrrrrr",
        )
        + "\n## 5. Verification after repair\n\n5.1. After the repair of an analyzer linearity, interference and rise time are checked anew. After the repair of a sampling line its leakage and its hang-up are checked: the analyzer returns to less than 2 % of the former reading within 60 seconds after the probe has been flushed with zero air.\n\n"
        "5.2. After the repair of the constant volume sampler three injections of propane are made. Each lies between 98 % and 102 % of the mass injected; a single value outside leads to five further injections, all of which must lie inside.\n\n"
        "5.3. After moving a dynamometer its inertia is determined by ten accelerations between 16 and 80 km/h. The mean differs from the nominal value by not more than 0.5 %, and no single value by more than 1 %.\n"
    )


def dynamics() -> str:
    """Section 8 of Annex IV: the limits of section 5.1 for the mean speeds that occur."""
    rows = []
    for speed in range(10, 136, 5):
        product = 0.136 * speed + 14.44 if speed <= 74.6 else 0.0742 * speed + 18.966
        positive = f"{0.1755 - 0.0016 * speed:.4f}" if speed <= 94 else "0.0250"
        rows.append([str(speed), f"{product:.2f}", positive])
    return (
        "\n## 8. Trip dynamics by mean speed\n\n8.1. Table IV.11 gives the limits that result from section 5.1. For mean speeds between two lines the formula is used.\n\n"
        + table(
            "Table IV.11. Limits of trip dynamics",
            [
                ["Mean speed", "Speed times acceleration, 95th percentile", "Relative positive acceleration"],
                ["km/h", "m²/s³, not above", "m/s², not below"],
            ],
            rows,
            "40,60,60",
            "rrr",
        )
        + "\n8.2. A trip that is too gentle or too lively in one of its parts is void as a whole. Traffic is no excuse; the start of the trip is chosen so that heavy congestion is avoided.\n"
    )


def aging() -> str:
    """Section 3.4 of Annex VI: hours on the bench from the share of time at each temperature."""
    rows = []
    for celsius in range(400, 901, 20):
        reference = exp(17500 * (1 / 1073.15 - 1 / (celsius + 273.15)))
        rows.append([str(celsius), f"{reference:.4f}", f"{reference * 60:.2f}", f"{reference**0.9 * 60:.2f}"])
    return (
        "\n3.4. Table VI.2 gives the weight of one hour at the temperature of the catalyst, relative to one hour at 800 °C. The time on the bench is the sum of the products of weight and hours during the laps, times the number of laps in the useful life, times 1.1.\n\n"
        + table(
            "Table VI.2. Thermal load by temperature",
            [
                ["Temperature", "Weight", "Equivalent time at 800 °C", "<"],
                ["°C", "–", "Catalyst (min)", "Filter (min)"],
            ],
            rows,
            "36,36,44,44",
            "rrrr",
        )
        + "\n3.5. Temperatures are recorded at 1 Hz, 25 mm behind the front face on the axis of the hottest brick. Values below 400 °C are left out; above 900 °C the test is repeated, since the formula does not hold there.\n"
    )


def fleet() -> str:
    """Section 5 of Annex X: targets adjusted to the mean test mass."""
    years = [
        (2026, 93.6),
        (2027, 88.0),
        (2028, 80.5),
        (2029, 72.0),
        (2030, 49.5),
        (2031, 44.0),
        (2032, 36.5),
        (2033, 27.0),
    ]
    rows = [
        [number(mass), *[f"{max(0, target + 0.0144 * (mass - 1609.6)):.1f}" for _, target in years]]
        for mass in range(1200, 2401, 50)
    ]
    vans = [
        (2026, 153.9),
        (2027, 146.5),
        (2028, 137.0),
        (2029, 124.5),
        (2030, 90.6),
        (2031, 82.0),
        (2032, 70.5),
        (2033, 55.0),
    ]
    rows_vans = [
        [number(mass), *[f"{max(0, target + 0.0144 * (mass - 1609.6)):.1f}" for _, target in vans]]
        for mass in range(1400, 2801, 50)
    ]
    header = [
        ["Mean test mass", "Target in the calendar year (g/km)", *["<"] * 7],
        ["kg", *[str(year) for year, _ in years]],
    ]
    widths = "30," + ",".join(["18"] * 8)
    return (
        "\n## 5. Targets by mean mass\n\n5.1. Tables X.6 and X.7 give the targets of section 3.1 adjusted to the mean test mass of the fleet. Negative values are read as zero. Means between two lines are calculated by the formula, with the mass rounded to 0.1 kg.\n\n"
        + table("Table X.6. Targets for category M1", header, rows, widths, "r" * 9)
        + "\n5.2. For category N1 the mass is that of the completed vehicle. Vehicles built in stages count for the manufacturer of the base vehicle, unless the later manufacturer has declared that they count for its own fleet.\n\n"
        + table("Table X.7. Targets for category N1", header, rows_vans, widths, "r" * 9)
    )


def shifting() -> str:
    """Section 6 of Annex II: speeds for changing gear where the calculation is not used."""
    rows: list[list[str]] = []
    for gears, top in ((5, 115.0), (6, 128.0), (8, 140.0)):
        rows.append([f"Transmission with {gears} gears"])
        for gear in range(1, gears):
            up = top * (gear / gears) ** 1.18
            rows.append(
                [f"{gear} to {gear + 1}", f"{up:.0f}", f"{up * 0.87:.0f}", f"{up * 0.72:.0f}", f"{1 + gear * 0.4:.1f}"]
            )
    return (
        "\n## 6. Change of gear without calculation\n\n6.1. Vehicles whose power curve is not known, in particular vehicles tested in use, are shifted at the speeds of Table II.11. The gear indicator of the vehicle, where there is one, is followed instead once the engine is warm.\n\n"
        + table(
            "Table II.11. Speeds for changing gear",
            [
                ["Change", "Up", "Down, driving", "Down, braking", "Least time in gear"],
                ["^", "km/h", "km/h", "km/h", "s"],
            ],
            rows,
            "44,28,32,32,34",
            "lrrrr",
        )
        + "\n6.2. The clutch is pressed within one second of the change. While standing, the first gear is engaged five seconds before the vehicle moves off, with the clutch pressed; before that the lever is in neutral.\n\n"
        "## 7. Preconditioning\n\n7.1. Before the soak the vehicle is driven over one cycle, and vehicles with a particulate filter over a regeneration followed by one cycle. Vehicles that have stood for more than seven days are driven over two cycles.\n\n"
        "7.2. The battery of a vehicle that charges from the mains is fully charged during the soak by the charger of the vehicle, without forced cooling. The end of charging is the moment at which the charger has drawn less than 0.1 kW for ten minutes.\n\n"
        "7.3. A vehicle tested in use is preconditioned with the fuel of its own tank once, and is then drained and filled with the reference fuel. Codes stored in the diagnostic system are read before, and are not erased.\n"
    )


def certificate() -> str:
    """Section 6 of Annex XII: a filled-in example of the results page."""
    rows = [
        ["Laboratory, cold start"],
        ["Nitrogen oxides", "mg/km", "41.3", "43.0", "44.7", "60"], ["Carbon monoxide", "mg/km", "212.4", "247.1", "251.0", "500"], ["Non-methane hydrocarbons", "mg/km", "31.6", "35.2", "36.0", "68"], ["Particulate mass", "mg/km", "0.42", "0.42", "0.51", "4.5"],
        ["Particle number", "10^11^ per km", "1.9", "1.9", "2.1", "6"], ["Ammonia", "mg/km", "8.8", "10.1", "10.6", "30"],
        ["On road, whole trip"],
        ["Nitrogen oxides", "mg/km", "46.1", "46.1", "52.8", "85.8"], ["Particle number", "10^11^ per km", "2.4", "2.4", "3.1", "9"],
        ["Evaporation and brakes"],
        ["Hot soak and day", "g per test", "0.31", "0.33", "0.36", "0.50"], ["Refuelling", "g per liter", "0.021", "0.021", "0.024", "0.05"], ["Brake particles PM10", "mg/km", "4.6", "4.6", "5.0", "7"],
    ]  # fmt: skip
    return (
        "\n## 6. Results page of the certificate\n\n6.1. Table XII.10 shows the results page for an invented type of category M1, phase A. The second column of results contains the deterioration factor, the third the highest single result of the family.\n\n"
        + table(
            "Table XII.10. Example of a results page",
            [["Quantity", "Unit", "Result", "<", "<", "Limit"], ["^", "^", "Measured", "With factor", "Highest", "^"]],
            rows,
            "50,30,24,26,24,20",
            "llrrrr",
        )
        + '\n6.2. Results are printed with one digit more than the limit. The page carries the mark of the technical service on each sheet, and the sentence: "This page is valid only together with the certificate."\n'
    )
