"""Annex XII: information document, forms E-1 to E-6, certificate, correlation table."""

from __future__ import annotations

from . import table

INFORMATION = {
    "0. General": "Make (trade name of the manufacturer)|Type|Commercial names|Means of identification of the type, if marked on the vehicle|Location of that marking|Category|Name and address of the manufacturer|Names and addresses of assembly plants|Name and address of the representative",
    "1. Construction": "Photographs and drawings of a representative vehicle|Number of axles and wheels|Powered axles, number and position|Position of the engine|Hand of drive|Permanent all-wheel drive",
    "2. Masses and dimensions (kg, mm)": "Wheelbase, fully loaded|Mass in running order, lowest and highest|Technically permissible maximum mass|Distribution of that mass between the axles|Permissible mass of a braked trailer|Reference mass|Test mass, high and low|Rotating mass|Frontal area (m²)",
    "3.1 Internal combustion engine": "Manufacturer's engine code|Approval number and mark of the fuel|Working principle and cycle|Number and arrangement of cylinders|Bore|Stroke|Firing order|Displacement (cm³)|Compression ratio|Idle speed (1/min)|High idle speed (1/min)|Rated power (kW) at speed|Highest torque (N·m) at speed|Maximum permitted speed",
    "3.2 Fuel and feeding": "Fuel|Reference fuel of Annex VIII|Neck of the tank: restricted, or label|Maximum share of biofuel|Tank: volume and material|Pump: make, type, pressure|Injection system|Injectors: make and type|Opening pressure|Control unit: make, type, software number|Rail pressure, lowest and highest|Cold start device",
    "3.3 Air and exhaust gas": "Pressure charger: make, type|Highest charge pressure (kPa)|Wastegate|Intercooler|Intake depression at rated speed|Air filter: make, type|Exhaust back pressure at rated speed|Silencers: make, type|Outlet: position and direction|Valve timing: lift and angles|Variable timing: range",
    "3.4 Treatment of exhaust gas": "Catalysts: number, elements|Dimensions, shape, volume|Type of action|Content of precious metals (g)|Relative concentration|Substrate: structure and material|Cell density (1/in²)|Position and reference distance|Normal temperature range (°C)|Reagent: type and concentration|Consumption of reagent (L per 1,000 km)|Oxygen sensors: make, position|Particulate filter: capacity (g)|Regeneration: method, distance between (km)|Ki factor|Recirculation: cooled, high or low pressure|Ammonia slip catalyst",
    "3.5 Evaporative emissions": "Canister: make, material, mass of carbon (g)|Working capacity (g)|Purge strategy|Fuel hose: material and length|Tank permeation factor|Sealed tank: highest pressure (kPa)|Heat shield between tank and exhaust",
    "3.6 Diagnostics": "Position of the indicator|List of monitored parts|Statistical procedure of each monitor|Number of driving cycles for detection|List of codes with their meaning|Test results of simulated faults|Means against tampering|Minimum ratio of each monitor",
    "3.7 Electric machine and battery": "Machine: make, type, voltage|Highest power over 30 minutes (kW)|Battery: chemistry, number of cells|Capacity (Ah) and energy (kWh)|Usable share of energy (%)|Charging: connector, highest power|Mode switch and default mode|Range in charge-depleting mode (km)|Certified energy for Annex X|Cooling of the battery",
    "4. Transmission": "Type: manual, automatic, without steps|Mass moment of inertia of the clutch|Gear ratios|Final drive ratio|Speed at 1,000 1/min in the highest gear|Shift points for the test of Annex II|Dominant mode",
    "6. Suspension and tires": "Tires for the test: size|Rolling resistance class|Tires, other sizes|Pressure recommended, lowest|Abrasion index of Annex XI|Wheel alignment for the test",
    "7. Brakes": "Type, front and rear|Diameter of disc or drum|Material of pads, friction code|Brake family of Annex XI|Friction braking share",
    "8. Auxiliary devices": "Air conditioning: refrigerant|Heat pump|Alternator: efficiency (%)|Exterior lights: power (W)|Innovative technologies claimed under Annex X|Power take-off",
}
FORMS = {
    "E-1. Annual emission report": "Manufacturer and year|Family mark|Number registered|Mean carbon dioxide (g/km)|Mean nitrogen oxides, laboratory (mg/km)|Mean nitrogen oxides, on road (mg/km)|Highest single result, on road (mg/km)|Particle number, on road (#/km)|Vehicles tested, valid and not valid|Share of vehicles with exceedances in the on-board monitor (%)|Median distance to the first exceedance (km)|Faults by code, the ten most frequent|State of certified energy, 10th percentile (%)|Signature of the responsible person",
    "E-2. Defect report": "Family mark|Component and part number|Plants and dates of production|Number of vehicles concerned|Number of vehicles in which the defect was found|Day of discovery|How it was discovered|Effect on each pollutant, measured or estimated|Effect on diagnostics|Effect on safety|Measure in production, from which vehicle on|Measure planned for vehicles in use|Person for inquiries",
    "E-3. Recall plan": "Reference of the order|Vehicles concerned, by identification number|Description of the correction|Proof of effect: tests before and after|Effect on consumption and power|Time needed in the workshop (min)|Supply of parts, by month|Schedule of letters|Wording of the first and the second letter|Label and its position|Reimbursement of owners who have already paid|Training of dealers|Reserve for owners who cannot be found",
    "E-4. Recall progress": "Reference of the recall|Quarter|Vehicles corrected in the quarter|Vehicles corrected in all (%)|Vehicles exported or scrapped|Owners not reached|Letters sent: first, second, registered|Complaints after correction, by kind|Results of five vehicles tested after correction",
    "E-5. Change of strategy": "Family mark|Software number, old and new|Strategy concerned: base or auxiliary|Reason of the change|Parameters changed, with old and new values|Maps before and after, as files|Conditions in which the strategy is active|Share of driving time in which it is active (%)|Effect on each pollutant|Vehicles that receive the change in the field|Day of introduction",
    "E-6. Tampering notice": "Kind of manipulation|Where it is offered|Vehicles on which it works|How it can be recognized|Effect on each pollutant|Effect on diagnostics|Counter-measure and day of its introduction|Estimated number of vehicles",
}
CORRELATION = [
    ("Section 1", "Article 1(1) and (2)"), ("Section 2(1)", "Article 1(3)(a)"), ("Section 2(2)", "Article 1(3)(b)"), ("Section 2(3)", "–"), ("Section 3(1) to (4)", "Article 2(1) to (3)"), ("Section 3(5)", "Article 2(4)"), ("Section 3(6)", "Article 2(7)"),
    ("–", "Article 2(5) and (6)"), ("Section 4", "Article 3(1)"), ("Section 5", "Article 3(2)"), ("–", "Article 3(3)(a)"), ("Section 6(1)", "Article 3(3)(c)"), ("Section 6(2)", "Article 3(4)"), ("Section 7", "Article 3(5)"), ("–", "Article 3(6) to (8)"),
    ("Section 8, first paragraph", "Article 4(1)"), ("Section 8, second paragraph", "Article 4(2)"), ("Section 9", "Article 4(3)"), ("–", "Article 4(4) and (5)"), ("Section 10(1)", "Article 5(1)"), ("Section 10(2)", "Article 5(2)"), ("Section 10(3)", "Article 5(3)"), ("–", "Article 5(4) and (5)"),
    ("Section 11", "Article 5(6)"), ("–", "Article 5(7) to (9)"), ("Section 12(1)", "Article 6(1)"), ("Section 12(2)", "Article 6(2)"), ("Section 13", "Article 6(3)"), ("–", "Article 6(4) and (5)"), ("Section 14(1)", "Article 7(1)"), ("Section 14(2)", "–"), ("–", "Article 7(2) to (8)"),
    ("Section 15", "Article 8(1) and (2)"), ("Section 16", "Article 8(3)"), ("–", "Article 8(4)"), ("Section 17(1) to (3)", "Article 9(1)"), ("–", "Article 9(2)"), ("Section 18", "Article 9(3)"), ("Section 19", "Article 10(1)"), ("–", "Article 10(2) and (3)"), ("Section 20", "Article 11(1)"),
    ("Section 21", "Article 11(2)"), ("–", "Article 11(3)"), ("Section 22", "Article 12(3)"), ("Schedule 1", "Annex I"), ("Schedule 2, Parts A to C", "Annex II"), ("Schedule 2, Part D", "Annex III"), ("–", "Annex IV"), ("Schedule 3", "Annex V"), ("Schedule 4", "Annex VI"),
    ("Schedule 5", "Annex VII"), ("Schedule 6", "Annex VIII"), ("Schedule 7", "Annex IX"), ("–", "Annex X"), ("–", "Annex XI"), ("Schedule 8", "Annex XII"),
]  # fmt: skip
SERVICES = [
    ("TS-01", "Brandt Hollow Test Center", "I, II, III, V", "30 June 2029"), ("TS-02", "Corvane Automotive Laboratory", "I, II, III, IV", "30 June 2029"), ("TS-03", "Delling Proving Ground", "IV, VI", "31 December 2027"), ("TS-04", "Eastmere Engine Institute", "II (section 3), VI", "31 March 2028"),
    ("TS-05", "Fennick Mobility Testing", "IV", "30 September 2028"), ("TS-06", "Garrow Fuel Analysis", "VIII", "31 December 2029"), ("TS-07", "Hollin Brake Laboratory", "XI (sections 1 to 3)", "30 June 2028"), ("TS-08", "Ister Tire Institute", "XI (section 4)", "30 June 2028"), ("TS-09", "Jarrow Diagnostics", "VII", "31 December 2028"),
    ("TS-10", "Kelso Battery Test House", "X (sections 1 and 2)", "31 March 2030"), ("TS-11", "Lindmark Simulation Services", "X (section 4)", "30 September 2029"), ("TS-12", "Marrin Vehicle Inspection", "IX", "31 December 2027"), ("TS-13", "Northgate Emission Laboratory", "I, II, V, VII", "31 March 2029"), ("TS-14", "Ostrand Calibration", "III", "31 December 2030"),
]  # fmt: skip


def _items(text: str) -> list[str]:
    return text.split("|")


def annex() -> str:
    """The whole annex in markup."""
    parts = [
        "\n# Annex XII Documents, forms and correlation\n\n## 1. Information document\n\n"
        "1.1. The application for type approval contains the items of Table XII.1, in one file, with drawings on a scale at which details can be seen. Items that do not apply are marked with a dash and are not left out.\n\n"
        "1.2. Items marked C are confidential: they are neither published nor passed on to other manufacturers. Items marked V may differ between vehicles of the type; their range is given.\n"
    ]
    rows: list[list[str]] = []
    for section, items in INFORMATION.items():
        rows.append([section])
        base = section.split()[0].rstrip(".")
        rows += [
            [
                f"{base}.{k + 1}",
                item,
                "V" if (k * 5 + len(item)) % 3 == 0 else "–",
                "C" if (k * 7 + len(item)) % 5 == 0 else "–",
            ]
            for k, item in enumerate(_items(items))
        ]
    parts.append(
        table(
            "Table XII.1. Items of the information document",
            [["Item", "Content", "May vary", "Confidential"]],
            rows,
            "18,90,20,24",
            "llcc",
        )
    )
    parts.append(
        "\n## 2. Reports under Article 6\n\n2.1. Reports are sent as structured data. The field numbers of this section are the names of the elements; a report with an unknown element is rejected as a whole.\n"
    )
    kinds = ["text", "number", "date", "list", "file"]
    for n, (title, items) in enumerate(FORMS.items()):
        body = [
            [
                f"{title.split('.')[0]}.{k + 1:02d}",
                item,
                kinds[(len(item) + k) % 5],
                "Yes" if (len(item) + n) % 4 else "No",
            ]
            for k, item in enumerate(_items(items))
        ]
        parts.append(
            table(
                f"Table XII.{n + 2}. Form {title}",
                [["Field", "Content", "Kind", "Obligatory"]],
                body,
                "20,88,20,24",
                "llll",
            )
        )
    parts.append(
        "\n2.2. The sender receives a receipt within one hour. Times of Article 6 are kept when the receipt was issued before midnight of the last day.\n\n"
        "2.3. Corrections refer to the receipt and give the reason. More than three corrections of one report within a year are examined by the Authority.\n\n"
        "## 3. Certificate of type approval\n\n"
        "3.1. The certificate states the number, the type, the phase, the results of all tests with their limits, the family marks, the technical service, and the day. The number consists of the letter e, the number of the country, the number of this Regulation, the letter of the phase and a running number of five digits.\n\n"
        "3.2. Extensions are marked with two digits after a star. An extension is granted when results are not worse than those of the first approval by more than 5 %, and when none of the items of Table XII.1 in sections 3.1 and 3.4 has changed in a way that opens a new family.\n\n"
        "3.3. The certificate of conformity that goes with each vehicle contains the carbon dioxide, the consumption, the range, the noise and the phase. It is printed on paper with a watermark, or is signed electronically.\n\n"
        "## 4. Technical services\n"
    )
    parts.append(
        table(
            "Table XII.8. Designated technical services",
            [["Code", "Name", "Annexes", "Designated until"]],
            SERVICES,
            "18,64,40,36",
            "llll",
        )
    )
    parts.append(
        "\n4.1. A designation is renewed when the service has taken part in at least one comparison between laboratories a year, with a deviation from the mean of not more than 8 % for nitrogen oxides and 4 % for carbon dioxide.\n\n## 5. Correlation table\n"
    )
    parts.append(
        table(
            "Table XII.9. Correlation of the Vehicle Exhaust Order 2015 with this Regulation",
            [["Vehicle Exhaust Order 2015", "This Regulation"]],
            CORRELATION,
            "70,70",
            "ll",
        )
    )
    return "\n".join(parts)
