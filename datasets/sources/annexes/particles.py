"""Annex XI: particles from brakes and tires, with the list of brake events."""

from __future__ import annotations

from random import Random

from . import number, table

SIZES = [(155, 65, 14), (165, 65, 15), (175, 65, 15), (185, 60, 15), (185, 65, 15), (195, 55, 16), (195, 65, 15), (205, 55, 16), (205, 60, 16), (215, 50, 17), (215, 55, 17), (215, 60, 16),
         (225, 40, 18), (225, 45, 17), (225, 50, 17), (225, 55, 18), (235, 45, 18), (235, 50, 19), (235, 55, 19), (235, 60, 18), (245, 40, 19), (245, 45, 20), (255, 35, 20), (255, 40, 20),
         (255, 45, 20), (265, 35, 21), (265, 50, 20), (275, 40, 21), (275, 45, 21), (285, 35, 22), (295, 35, 22), (315, 30, 22)]  # fmt: skip

TEXT = """
# Annex XI Particles from brakes and tires

## 1. Brakes: limits

1.1. The limits apply to the mean of the front and the rear brake, multiplied by the number of brakes and divided by the distance of the cycle. They are multiplied by the friction braking share of Table XI.2, which takes into account braking by the electric machine.

BRAKE_LIMITS

## 2. Brakes: procedure

2.1. The brake is mounted on an inertia dynamometer inside a closed duct. Cooling air is filtered to class H13, has a temperature of 23 °C ± 2 °C and a relative humidity of 50 % ± 5 %, and flows at a speed between 2 and 10 m/s that is found in the adjustment of cooling.

2.2. Adjustment of cooling: in trip 10 of the cycle the mean temperature of the disc, its mean before brake events 4 to 8, and its highest value shall agree with the values measured on the road within 15 K, 20 K and 25 K.

2.3. New pads and discs are bedded in by five complete cycles. The following cycle is the emission test. It consists of ten trips with {count} brake events over 192 km; the disc cools down to 30 °C between trips.

2.4. PM10 and PM2.5 are sampled isokinetically behind cyclones, at a ratio of speeds between 0.90 and 1.15, on filters of 47 mm. Background before and after the test is below 10 % of the limit.

2.5. Particle number is counted with the instruments of Annex III, once with and once without removal of volatile particles. It is reported; there is no limit for it before phase C.

:: Table XI.2. Friction braking share | widths=70,40,40 | align=lrr
| Kind of vehicle | M1 | N1
| ---
| Combustion engine alone | 1.00 | 1.00
| Hybrid, machine up to 20 kW | 0.90 | 0.92
| Hybrid, machine above 20 kW | 0.52 | 0.58
| Hybrid that charges from the mains | 0.34 | 0.40
| Electric alone | 0.17 | 0.22
| Fuel cell | 0.28 | 0.32
::

2.6. A manufacturer may use a share measured on the vehicle in place of Table XI.2. It is found on the dynamometer over the cycle of this Annex with torque sensors at all wheels.

## 3. Brakes: events of the cycle

3.1. Each brake event is defined by its trip, the speeds at its beginning and its end, its deceleration and its duration. Deceleration is kept within ± 5 %.
"""

TIRES = """
## 4. Tires: abrasion

4.1. Abrasion is the loss of mass of the tire divided by the distance and by the load. It is measured on the road in a convoy over 8,000 km with a reference tire, or on a drum of 1.7 m diameter over 5,000 km.

4.2. The convoy consists of two to four vehicles that change drivers and places each day. The temperature of the surroundings lies between 2 and 35 °C, with a mean of 20 °C ± 5 °C; results are corrected to 20 °C.

4.3. The index of abrasion is the ratio to the reference tire. Limits are given by size, since narrow tires carry a smaller load. Winter tires may exceed the limit of summer tires by the share in the last column.

4.4. Before weighing, tires are cleaned with water, dried for two hours at room temperature, and freed from stones. They are weighed three times with an accuracy of 2 g; the wheel remains on the same balance.

4.5. Wear bars must not have been reached. A tire that has lost more than 60 % of its tread depth, or whose loss differs by more than 25 % between the shoulders, is discarded together with the whole set.
"""

END = """
## 5. Families and conformity

5.1. A brake family is formed by material of pad and disc, diameter within 10 mm and mass of the disc within 5 %. A tire family is formed by brand, pattern, compound and speed category.

5.2. Each year one brake family in twenty, and at least one of each manufacturer, is tested again. The result may exceed that of type approval by 20 %, but not the limit.

5.3. Replacement pads and discs are sold only with a type approval of their own from 1 January 2030. They are tested on the reference brake of the family for which they are intended.
"""


TRUCK = [
    "215/75 R17.5",
    "225/75 R17.5",
    "235/75 R17.5",
    "245/70 R17.5",
    "245/70 R19.5",
    "265/70 R19.5",
    "285/70 R19.5",
    "275/70 R22.5",
    "275/80 R22.5",
    "295/60 R22.5",
    "295/80 R22.5",
    "305/70 R22.5",
    "315/60 R22.5",
    "315/70 R22.5",
    "315/80 R22.5",
    "355/50 R22.5",
    "385/55 R22.5",
    "385/65 R22.5",
    "435/50 R19.5",
    "445/45 R19.5",
]


def commercial() -> list[list[str]]:
    """Truck tires by axle: drive axles wear more than steering and trailer axles."""
    rows = []
    for size in TRUCK:
        width = int(size[:3])
        ratio = int(size[4:6])
        for n, (axle, factor) in enumerate((("Steering", 1.0), ("Drive", 1.24), ("Trailer", 0.88))):
            if width >= 385 and axle == "Drive":
                continue
            load = round((width * (ratio + 160) / 19 + n * 70) / 10) * 10
            wear = (31 + (width - 215) * 0.06 + (80 - ratio) * 0.05) * factor
            rows.append([size, axle, number(load), f"{wear:.1f}", f"{wear * 0.9:.1f}", f"{wear * 0.78:.1f}"])
    return rows


def annex() -> str:
    """The whole annex in markup."""
    rng = Random(303)
    events = []
    trips = [(1, 34), (2, 29), (3, 22), (4, 38), (5, 17), (6, 25), (7, 32), (8, 20), (9, 27), (10, 59)]
    for trip, count in trips:
        events.append([f"Trip {trip}, {count} events"])
        for k in range(count):
            start = 15 + rng.random() * (60 if rng.random() < 0.75 else 115)
            end = 0.0 if rng.random() < 0.55 else start * (0.2 + rng.random() * 0.6)
            deceleration = 0.5 + rng.random() * 1.6
            duration = (start - end) / 3.6 / deceleration
            events.append(
                [
                    f"{trip}.{k + 1}",
                    f"{start:.1f}",
                    f"{end:.1f}",
                    f"{deceleration:.2f}",
                    f"{duration:.1f}",
                    f"{(start + end) / 7.2 * duration:.1f}",
                ]
            )
    count = sum(n for _, n in trips)
    limits = [
        ["PM10 (mg/km)"],
        ["Electric alone, M1", "3", "3", "2", "1 January 2028"],
        ["Other vehicles of category M1", "7", "5", "3", "1 January 2028"],
        ["N1 class III, compression ignition", "11", "9", "5", "1 January 2029"],
        ["Other vehicles of category N1", "11", "8", "4", "1 January 2029"],
        ["M2, M3, N2, N3", "–", "report", "14", "1 January 2030"],
        ["PM2.5 (mg/km)"],
        ["M1", "report", "report", "1.5", "1 January 2034"],
        ["N1", "report", "report", "2", "1 January 2034"],
    ]
    tires = []
    for section, ratio, rim in SIZES:
        load = round(380 + (section - 155) * 3.1 + ratio * 2.2)
        wear = 52 + (section - 155) * 0.24
        tires.append(
            [
                f"{section}/{ratio} R{rim}",
                number(load),
                f"{wear:.1f}",
                f"{wear * 0.86:.1f}",
                f"{wear * 0.72:.1f}",
                str(12 + (section + rim) % 4),
            ]
        )
    header = [["Vehicle", "Limit by phase", "<", "<", "New types from"], ["^", "A", "B", "C", "^"]]
    events_header = [
        ["Event", "Speed", "<", "Deceleration", "Duration", "Distance"],
        ["^", "Start (km/h)", "End (km/h)", "m/s²", "s", "m"],
    ]
    tires_header = [
        ["Size", "Load", "Limit by phase (mg/km per t)", "<", "<", "Winter tires"],
        ["^", "kg", "A", "B", "C", "+ %"],
    ]
    commercial_header = [
        ["Size", "Axle", "Load", "Limit by phase (mg/km per t)", "<", "<"],
        ["^", "^", "kg", "A", "B", "C"],
    ]
    return (
        TEXT.replace(
            "BRAKE_LIMITS", table("Table XI.1. Limits for brake particles", header, limits, "58,22,22,22,36", "lrrrl")
        ).replace("{count}", str(count))
        + table("Table XI.3. Brake events", events_header, events, "22,30,30,30,26,26", "crrrrr", size=7.8)
        + TIRES
        + table("Table XI.4. Limits for abrasion by size", tires_header, tires, "38,24,26,26,26,28", "lrrrrr")
        + table(
            "Table XI.5. Limits for abrasion by size, tires for commercial vehicles",
            commercial_header,
            commercial(),
            "40,22,24,26,26,26",
            "lcrrrr",
        )
        + END
    )
