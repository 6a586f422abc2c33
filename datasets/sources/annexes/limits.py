"""Annex I: categories, families and limits."""

from __future__ import annotations

from . import number, table

# category, NOx, CO, NMHC, PM of phase A; they agree with Table 1 of Article 4
LIGHT = [
    ("M1 positive ignition", 60, 500, 68, 4.5),
    ("M1 compression ignition", 60, 500, 68, 4.5),
    ("N1 class I", 60, 500, 68, 4.5),
    ("N1 class II", 75, 630, 90, 4.5),
    ("N1 class III", 82, 740, 108, 4.5),
]
FUELS = [
    ("Petrol E10", 1.0, 1.0, 1.0),
    ("Diesel B7", 1.0, 0.8, 0.72),
    ("LPG", 0.95, 1.1, 1.05),
    ("Natural gas", 0.9, 1.15, 0.6),
    ("Ethanol E85", 1.0, 1.05, 1.12),
]
HEAVY = [
    ("M2", 90, 780, 75, 8),
    ("M3 class I (city buses)", 200, 1500, 80, 8),
    ("M3 class II (interurban buses)", 210, 1550, 82, 8),
    ("M3 class III (coaches)", 220, 1600, 85, 8),
    ("N2 up to 7.5 t", 180, 1450, 78, 8),
    ("N2 above 7.5 t", 195, 1500, 80, 8),
    ("N3 rigid", 215, 1600, 84, 8),
    ("N3 tractor", 230, 1650, 88, 8),
]
PHASES = [("A", "1 July 2026", 1.0), ("B", "1 January 2030", 0.74), ("C", "1 January 2034", 0.52)]

TEXT = """
# Annex I Categories, families and emission limits

## 1. Scope of this Annex

1. This Annex sets out the limits that apply to each category in each phase, the families in which vehicles and engines are grouped, and the rules for rounding. Where it is silent, Article 4 applies.

2. Phase A begins on 1 July 2026, phase B on 1 January 2030 and phase C on 1 January 2034. A vehicle is judged by the phase in force on the day on which its type approval was granted.

## 2. Categories and mass classes

2.1. The category follows from the number of seats and from the technically permissible maximum mass. The class of category N1 follows from the reference mass, that is the mass in running order less 75 kg for the driver plus 100 kg.
"""

FAMILIES = """
## 3. Families

3.1. Vehicles belong to one interpolation family when they share the engine, the type of transmission, the number of driven axles and the control software, and when their road loads lie between those of the vehicle with the highest and that with the lowest cycle energy demand. The difference between the two shall not exceed 35 % of the lower one.

3.2. Engines belong to one engine family when they share the combustion cycle, the number and arrangement of cylinders, the displacement within 15 %, the kind of aspiration, the fuel system and the exhaust aftertreatment. The parent engine is the one with the highest fuel delivery per stroke at the speed of maximum torque; where two engines are equal, the one with the higher rated speed.

3.3. The volume of a catalyst may vary within 10 % inside a family. Its load of precious metals may be higher than that of the parent, never lower. A change of supplier for the washcoat opens a new family unless a test over 4,000 km shows a difference in nitrogen oxides of less than 3 mg/km.

3.4. The Authority gives each family a mark of eleven characters. The mark is printed on the label under the hood in letters at least 3 mm high and is stored in the control unit, from which it can be read without special tools.
"""

ROUNDING = """
## 7. Rounding and uncertainty

7.1. Results are rounded once, at the end, to the number of decimals that the limit has, plus one. A digit of five is rounded up. A result of 60.04 mg/km is therefore read as 60.0 and meets a limit of 60 mg/km; a result of 60.05 is read as 60.1 and does not.

7.2. The uncertainty of the measurement is not subtracted from the result. It has been taken into account in the limits and, for on-road tests, in the conformity factors of Article 5(4).

7.3. Where a result is negative after correction for the background, zero is recorded, and the negative value is reported beside it.

7.4. For vehicles that charge from the mains, the result is weighted by the utility factor of Table I.14, which depends on the range in charge-depleting mode.
"""


MULTIPLIERS = {"light": (1.2, 1.2, 1.1, 1.1, 1.5), "heavy": (1.25, 1.2, 1.15, 1.1, 1.6)}  # Table 2 of Article 4
CONFORMITY = {"A": (1.43, 1.5), "B": (1.1, 1.34), "C": (1.0, 1.2)}  # nitrogen oxides, particle number


def values(
    row: tuple[str, float, float, float, float], fuel: tuple[str, float, float, float], factor: float, unit: str
) -> list[float]:
    """NOx, CO, NMHC, PM, PN (10^11) and NH3 of one category and fuel; in phase A the values of Article 4 for every fuel."""
    _, nox, co, nmhc, pm = row
    _, f_nox, f_co, f_hc = fuel
    light = unit == "mg/km"
    if factor == 1:
        return [nox, co, nmhc, pm, 6, 30 if light else 10]
    middle = factor > 0.6
    return [
        round(nox * f_nox * factor),
        round(co * f_co * factor, -1),
        round(nmhc * f_hc * factor),
        round(pm * (0.4 + 0.6 * factor), 1),
        4 if middle else 2,
        (20 if middle else 10) if light else (8 if middle else 5),
    ]


def _body(
    rows: list[tuple[str, float, float, float, float]], factor: float, unit: str, change: tuple[float, ...]
) -> list[list[str]]:
    body: list[list[str]] = []
    for row in rows:
        body.append([row[0]])
        for fuel in FUELS:
            if unit == "mg/kWh" and fuel[0] == "Petrol E10":
                continue
            nox, co, nmhc, pm, pn, nh3 = values(row, fuel, factor, unit)
            mark = "^a^" if fuel[0] == "Natural gas" else ""
            body.append(
                [
                    fuel[0],
                    number(round(nox * change[0], 1)),
                    number(round(co * change[1])),
                    number(round(nmhc * change[2], 1)) + mark,
                    number(round(pm * change[3], 2)),
                    f"{number(round(pn * change[4], 1))} × 10^11^",
                    number(nh3),
                ]
            )
    return body


def limits(rows: list[tuple[str, float, float, float, float]], title: str, first: int, unit: str) -> str:
    """One table of limits for each phase, by category and fuel."""
    parts = []
    light = unit == "mg/km"
    header = [
        ["Fuel", "NOx", "CO", "NMHC", "PM", "PN", "NH3"],
        ["^", unit, unit, unit, unit, "#/km" if light else "#/kWh", "mg/km" if light else "ppm"],
    ]
    for n, (phase, date, factor) in enumerate(PHASES):
        notes = f"^a Methane is limited separately: {number(round(500 * factor))} {unit}.\nThe limits of phase {phase} apply to new types from {date} and to new vehicles one year later."
        parts.append(
            table(
                f"Table I.{first + n}. {title}, phase {phase}",
                header,
                _body(rows, factor, unit, (1, 1, 1, 1, 1)),
                "34,16,16,17,15,22,15",
                "lrrrrrr",
                notes,
            )
        )
    return "\n".join(parts)


def extended(rows: list[tuple[str, float, float, float, float]], kind: str, title: str, first: int, unit: str) -> str:
    """Limits between the end of useful life and the end of extended life: those of each phase times the multipliers."""
    parts = []
    light = unit == "mg/km"
    header = [
        ["Fuel", "NOx", "CO", "NMHC", "PM", "PN", "NH3"],
        ["^", unit, unit, unit, unit, "#/km" if light else "#/kWh", "mg/km" if light else "ppm"],
    ]
    for n, (phase, _, factor) in enumerate(PHASES):
        notes = "^a Methane is not limited during extended life.\nAmmonia is not multiplied."
        parts.append(
            table(
                f"Table I.{first + n}. {title} in extended life, phase {phase}",
                header,
                _body(rows, factor, unit, MULTIPLIERS[kind]),
                "34,16,16,17,15,22,15",
                "lrrrrrr",
                notes,
            )
        )
    return "\n".join(parts)


def on_road() -> str:
    """Section 7 of Annex IV: limits times conformity factors."""
    parts = [
        "\n## 7. Limits in on-road tests\n\n7.1. The limits of this section result from those of Annex I and the conformity factors of Article 5(4), which are replaced in phase C by 1.00 for nitrogen oxides and 1.20 for particle number. They are printed here for convenience; where rounding leads to a difference, the calculation prevails.\n\n7.2. Carbon monoxide is measured and reported, but is not limited in on-road tests of light-duty vehicles before phase C.\n"
    ]
    number_of = 5
    for rows, title, unit in ((LIGHT, "light-duty vehicles", "mg/km"), (HEAVY, "heavy-duty vehicles", "mg/kWh")):
        for phase, _, factor in PHASES:
            cf_nox, cf_pn = CONFORMITY[phase]
            body: list[list[str]] = []
            for row in rows:
                body.append([row[0]])
                for fuel in FUELS:
                    if unit == "mg/kWh" and fuel[0] == "Petrol E10":
                        continue
                    nox, co, _, _, pn, _ = values(row, fuel, factor, unit)
                    body.append(
                        [
                            fuel[0],
                            number(round(nox * cf_nox, 1)),
                            number(round(nox * cf_nox * 1.6, 1)),
                            f"{number(round(pn * cf_pn, 2))} × 10^11^",
                            f"{number(round(pn * cf_pn * 1.6, 2))} × 10^11^",
                            number(round(co * 1.2)) if phase == "C" or unit == "mg/kWh" else "report",
                        ]
                    )
            header = [
                ["Fuel", "NOx", "<", "PN", "<", "CO"],
                ["^", f"Moderate ({unit})", f"Extended ({unit})", "Moderate (#)", "Extended (#)", unit],
            ]
            parts.append(
                table(
                    f"Table IV.{number_of}. On-road limits of {title}, phase {phase}",
                    header,
                    body,
                    "34,24,24,26,26,20",
                    "lrrrrr",
                )
            )
            number_of += 1
    return "\n".join(parts)


def annex() -> str:
    """The whole annex in markup."""
    categories = [
        ["M1", "Passengers, up to 8 seats besides the driver", "–", "–", "Light"],
        ["M2", "Passengers, more than 8 seats", "–", "up to 5,000", "Light or heavy"],
        ["M3", "Passengers, more than 8 seats", "–", "above 5,000", "Heavy"],
        ["N1 class I", "Goods", "up to 1,305", "up to 3,500", "Light"],
        ["N1 class II", "Goods", "1,306 to 1,760", "up to 3,500", "Light"],
        ["N1 class III", "Goods", "above 1,760", "up to 3,500", "Light"],
        ["N2", "Goods", "–", "3,501 to 12,000", "Heavy"],
        ["N3", "Goods", "–", "above 12,000", "Heavy"],
    ]
    utility = [[str(r), f"{1 - 0.5 ** (r / 38):.3f}", f"{1 - 0.5 ** (r / 52):.3f}"] for r in range(10, 151, 10)]
    special = [
        [
            "Three-wheeled delivery vehicles with a mass in running order of less than 400 kg",
            "As M1, NOx multiplied by 1.5",
            "No",
        ],
        ["Wheelchair-accessible vehicles converted after type approval", "As base vehicle, CO multiplied by 1.1", "No"],
        ["Mobile cranes of category N3", "As N3 rigid, engine bench only", "No"],
        ["Ambulances and hearses of category M1", "As N1 class III", "Yes"],
        ["Motor caravans above 2,500 kg", "As N1 class III", "Yes"],
        ["Refuse collection vehicles", "As M3 class I", "Yes"],
        ["Airport buses that do not leave the apron", "As M3 class I, not subject to Annex IV", "No"],
        ["Snow plows and road sweepers", "As N2 above 7.5 t", "Only in idle"],
    ]
    return (
        TEXT
        + table(
            "Table I.1. Categories and mass classes",
            [["Category", "Carries", "Mass (kg)", "<", "Group"], ["^", "^", "Reference mass", "Maximum mass", "^"]],
            categories,
            "24,46,28,28,24",
            "llccl",
        )
        + FAMILIES
        + "\n## 4. Limits for light-duty vehicles\n\n4.1. The limits of this section are measured over the cycle of Annex II, section 2. Mass limits are given per kilometer.\n\n"
        + limits(LIGHT, "Light-duty vehicles", 2, "mg/km")
        + "\n## 5. Limits for heavy-duty engines\n\n5.1. The limits of this section are measured on the engine bench over the cycle of Annex II, section 3, with a weighting of 14 % for the cold and 86 % for the hot start.\n\n5.2. An engine that is installed in vehicles of two categories is judged by the stricter limit for each pollutant.\n\n"
        + limits(HEAVY, "Heavy-duty engines", 5, "mg/kWh")
        + "\n## 6. Extended life\n\n6.1. Between the end of useful life and the end of extended life, which Article 2(6) defines, the limits of Tables I.8 to I.13 apply. They are those of Tables I.2 to I.7 times the multipliers of Table 2.\n\n6.2. A vehicle that meets the limit of useful life needs no further test for extended life until it has been driven 20,000 km beyond the useful life.\n\n"
        + extended(LIGHT, "light", "Light-duty vehicles", 8, "mg/km")
        + extended(HEAVY, "heavy", "Heavy-duty engines", 11, "mg/kWh")
        + ROUNDING
        + table(
            "Table I.14. Utility factors of vehicles that charge from the mains",
            [["Range in charge-depleting mode", "Utility factor", "<"], ["km", "M1", "N1"]],
            utility,
            "50,40,40",
            "rrr",
        )
        + "\n## 8. Vehicles for special purposes\n\n8.1. For the vehicles of Table I.15 the limits of another category apply, because their use or their shape does not fit the cycle of their own.\n\n"
        + table(
            "Table I.15. Vehicles for special purposes",
            [["Vehicle", "Limits that apply", "On-road test"]],
            special,
            "70,52,24",
            "lll",
        )
        + "\n8.2. A vehicle for a special purpose keeps its category for all other purposes, in particular for driving licenses and taxes. A change of purpose is reported within four weeks, and the vehicle is then judged by the limits that were in force for its new purpose when it was built.\n"
        + "\n8.3. Where a vehicle serves several purposes, the purpose for which it is used for more than half of its distance decides. The owner keeps a logbook for one year; without a logbook the limits of the category apply.\n"
        + "\n8.4. Vehicles that are used for both the carriage of passengers and the carriage of goods are tested with the number of seats for which the reference mass is the higher one. Folding seats count as seats when belts are fitted.\n"
        + "\n8.5. The Authority may add a line to Table I.15 at the request of at least three manufacturers or of a municipality, if the number of vehicles concerned does not exceed 500 a year. It publishes its reasons.\n"
    )
