"""Annex VIII: reference fuels."""

from __future__ import annotations

from . import table

HEADER = [["Parameter", "Unit", "Limits", "<", "Test method"], ["^", "^", "Minimum", "Maximum", "^"]]
PETROL = """Research octane number|–|95.0|98.0|TM 5164;Motor octane number|–|85.0|89.0|TM 5163;Density at 15 °C|kg/m³|743.0|756.0|TM 3675;Vapor pressure|kPa|56.0|60.0|TM 13016;Water content|% v/v|–|0.05|TM 12937;Evaporated at 70 °C|% v/v|34.0|46.0|TM 3405;Evaporated at 100 °C|% v/v|54.0|62.0|TM 3405;Evaporated at 150 °C|% v/v|86.0|94.0|TM 3405;Final boiling point|°C|170|195|TM 3405;Residue|% v/v|–|2.0|TM 3405;Olefins|% v/v|6.0|13.0|TM 22854;Aromatics|% v/v|25.0|32.0|TM 22854;Benzene|% v/v|–|1.00|TM 22854;Oxygen|% m/m|3.3|3.7|TM 22854;Ethanol|% v/v|9.0|10.0|TM 22854;Induction period|min|480|–|TM 7536;Existent gum|mg/100 mL|–|4|TM 6246;Sulfur|mg/kg|–|10|TM 20846;Copper corrosion|class|–|1|TM 2160;Lead|mg/L|–|5|TM 237;Phosphorus|mg/L|–|1.3|TM 3231"""
DIESEL = """Cetane index|–|46.0|–|TM 4264;Cetane number|–|52.0|56.0|TM 5165;Density at 15 °C|kg/m³|833.0|837.0|TM 3675;Distillation, 50 %|°C|245|–|TM 3405;Distillation, 95 %|°C|345|360|TM 3405;Final boiling point|°C|–|370|TM 3405;Flash point|°C|55|–|TM 2719;Cloud point|°C|–|−10|TM 23015;Viscosity at 40 °C|mm²/s|2.30|3.30|TM 3104;Polycyclic aromatics|% m/m|2.0|4.0|TM 12916;Sulfur|mg/kg|–|10|TM 20846;Copper corrosion|class|–|1|TM 2160;Carbon residue|% m/m|–|0.20|TM 10370;Ash|% m/m|–|0.010|TM 6245;Total contamination|mg/kg|–|24|TM 12662;Water content|mg/kg|–|200|TM 12937;Acid number|mg KOH/g|–|0.10|TM 6618;Lubricity at 60 °C|µm|–|400|TM 12156;Oxidation stability at 110 °C|h|20.0|–|TM 15751;Fatty acid methyl ester|% v/v|6.0|7.0|TM 14078"""
ETHANOL = """Research octane number|–|95.0|–|TM 5164;Density at 15 °C|kg/m³|780.0|790.0|TM 3675;Vapor pressure|kPa|40.0|60.0|TM 13016;Sulfur|mg/kg|–|10|TM 20846;Ethanol and higher alcohols|% v/v|83|85|TM 1601;Higher alcohols|% v/v|–|2.0|TM 1601;Methanol|% v/v|–|1.00|TM 1601;Water content|% v/v|–|0.300|TM 1064;Inorganic chloride|mg/L|–|1|TM 6227;pH value|–|6.5|9.0|TM 6423;Copper strip corrosion|class|–|1|TM 2160;Acidity as acetic acid|mg/L|–|40|TM 1613;Carbon to hydrogen ratio|–|report|–|–;Oxygen to carbon ratio|–|report|–|–"""
LPG_A = """Propane and propylene|% v/v|28|32|TM 7941;Butanes and butylenes|% v/v|balance|–|TM 7941;Below C3 and above C4|% v/v|–|2|TM 7941;Olefins|% v/v|–|12|TM 7941;Evaporation residue|mg/kg|–|50|TM 15470;Water at 0 °C|–|free|–|TM 15469;Sulfur with odorant|mg/kg|–|10|TM 6667;Hydrogen sulfide|–|none|–|TM 8819;Copper strip corrosion|class|–|1|TM 6251;Motor octane number|–|89.0|–|TM 589"""
LPG_B = LPG_A.replace("|28|32|", "|83|87|").replace("Olefins|% v/v|–|12", "Olefins|% v/v|–|15")
GAS_20 = """Methane|% mol|99|–|TM 6974;Inert gases|% mol|–|1|TM 6974;Nitrogen|% mol|report|–|TM 6974;Sulfur|mg/m³|–|10|TM 6326;Net Wobbe index|MJ/m³|47.2|49.2|TM 6976;Temperature of the gas|°C|5|40|–"""
GAS_25 = """Methane|% mol|84|88|TM 6974;Inert gases|% mol|–|1|TM 6974;Nitrogen|% mol|12|16|TM 6974;Sulfur|mg/m³|–|10|TM 6326;Net Wobbe index|MJ/m³|38.2|40.6|TM 6976;Temperature of the gas|°C|5|40|–"""
BIOMETHANE = """Methane|% mol|96|–|TM 6974;Carbon dioxide|% mol|–|2.5|TM 6974;Oxygen|% mol|–|0.5|TM 6974;Siloxanes as silicon|mg/m³|–|0.3|TM 16017;Ammonia|mg/m³|–|10|TM 2826;Sulfur|mg/m³|–|5|TM 6326;Water dew point at 20 MPa|°C|–|−9|TM 6327;Compressor oil|mg/m³|–|10|TM 8573"""
HYDROGEN = """Hydrogen fuel index|% mol|99.97|–|TM 14687;Total other gases|µmol/mol|–|300|TM 14687;Water|µmol/mol|–|5|TM 14687;Hydrocarbons as C1|µmol/mol|–|2|TM 14687;Oxygen|µmol/mol|–|5|TM 14687;Helium|µmol/mol|–|300|TM 14687;Nitrogen|µmol/mol|–|300|TM 14687;Carbon dioxide|µmol/mol|–|2|TM 14687;Carbon monoxide|µmol/mol|–|0.2|TM 14687;Sulfur compounds|µmol/mol|–|0.004|TM 14687;Formaldehyde|µmol/mol|–|0.2|TM 14687;Ammonia|µmol/mol|–|0.1|TM 14687;Particles|mg/kg|–|1|TM 14687"""
PARAFFINIC = """Cetane number|–|75.0|80.0|TM 5165;Density at 15 °C|kg/m³|775.0|785.0|TM 3675;Flash point|°C|60|–|TM 2719;Viscosity at 40 °C|mm²/s|2.00|4.50|TM 3104;Aromatics|% m/m|–|1.0|TM 12916;Sulfur|mg/kg|–|5|TM 20846;Lubricity at 60 °C|µm|–|400|TM 12156;Fatty acid methyl ester|% v/v|–|0.1|TM 14078;Oxidation stability|g/m³|–|25|TM 12205"""
UREA = """Urea content|% m/m|31.8|33.2|TM 22241-2;Density at 20 °C|kg/m³|1,087.0|1,093.0|TM 3675;Refractive index at 20 °C|–|1.3814|1.3843|TM 22241-2;Alkalinity as ammonia|% m/m|–|0.2|TM 22241-2;Biuret|% m/m|–|0.3|TM 22241-2;Aldehydes|mg/kg|–|5|TM 22241-2;Insoluble matter|mg/kg|–|20|TM 22241-2;Phosphate|mg/kg|–|0.5|TM 22241-2;Calcium|mg/kg|–|0.5|TM 22241-2;Iron|mg/kg|–|0.5|TM 22241-2;Copper|mg/kg|–|0.2|TM 22241-2;Zinc|mg/kg|–|0.2|TM 22241-2;Nickel|mg/kg|–|0.2|TM 22241-2;Sodium|mg/kg|–|0.5|TM 22241-2"""
FUELS = [
    (
        "Petrol E10",
        PETROL,
        "The fuel is used for all tests of vehicles with positive ignition, except those at low temperature. The actual contents of oxygen and sulfur are stated in the report, since they enter the calculation.",
    ),
    (
        "Petrol E10 for tests at −7 °C",
        PETROL.replace("|56.0|60.0|", "|82.0|90.0|")
        .replace("|34.0|46.0|", "|38.0|50.0|")
        .replace("|95.0|98.0|", "|95.0|98.0|"),
        "The higher vapor pressure lets the engine start in the cold. The fuel is kept below 5 °C until it is filled in.",
    ),
    (
        "Diesel B7",
        DIESEL,
        "The fuel is used for all tests of vehicles with compression ignition. The range of the cetane number does not leave room for the tolerance of the method; in a dispute at least ten measurements are averaged.",
    ),
    (
        "Paraffinic diesel",
        PARAFFINIC,
        "The fuel is used in addition where the manufacturer releases the engine for paraffinic fuels. The limits do not change.",
    ),
    (
        "Ethanol E85",
        ETHANOL,
        "Vehicles that run on petrol and ethanol are tested with both fuels; below 0 °C with ethanol E75, whose vapor pressure lies between 50 and 60 kPa.",
    ),
    (
        "LPG, fuel A",
        LPG_A,
        "Fuel A stands for winter quality. The equivalence of both fuels is shown once for each family.",
    ),
    (
        "LPG, fuel B",
        LPG_B,
        "Fuel B stands for summer quality. The ratio of the results with fuels A and B is not larger than 1.25 for any pollutant.",
    ),
    (
        "Natural gas G20",
        GAS_20,
        "The gas has a high Wobbe index. The fuel system is given 120 seconds after a change of gas in order to adapt.",
    ),
    (
        "Natural gas G25",
        GAS_25,
        "The gas has a low Wobbe index. The sum of inert gases and nitrogen is stated in the report.",
    ),
    (
        "Biomethane",
        BIOMETHANE,
        "The gas is used for tests of durability. A siloxane content above the limit damages oxygen sensors and voids the test.",
    ),
    (
        "Hydrogen",
        HYDROGEN,
        "The gas is used for combustion engines and fuel cells. Samples are taken at the nozzle at 35 MPa or 70 MPa.",
    ),
    (
        "Aqueous urea, 32.5 %",
        UREA,
        "The reagent is kept between −5 °C and 25 °C and is not older than twelve months. It is treated here as a fuel, since its quality decides on the emissions.",
    ),
]


def annex() -> str:
    """The whole annex in markup."""
    parts = [
        "\n# Annex VIII Reference fuels\n\n## 1. Use of reference fuels\n\n"
        "1.1. Reference fuels are used for type approval and for conformity of production in the laboratory. On-road tests are driven with fuel bought at a public station; a sample of one liter is kept for six months.\n\n"
        "1.2. A lot is accepted with the certificate of the supplier. The technical service repeats the determination of density, sulfur and, for petrol, vapor pressure. Values are accepted when they lie within the limits widened by the reproducibility of the method.\n\n"
        '1.3. Where no maximum is given, the tolerance is taken downwards from the value that the supplier aims at, and the other way round where no minimum is given. A value of "report" is stated without being judged.\n\n'
        "1.4. Additives that are usual in trade may be added by the supplier, but not additives that reduce deposits in a test of durability.\n\n"
        "## 2. Specifications\n"
    ]
    for n, (name, data, note) in enumerate(FUELS):
        rows = [row.split("|") for row in data.split(";")]
        parts.append(f"\n### 2.{n + 1}. {name}\n\n{note}\n")
        parts.append(table(f"Table VIII.{n + 1}. {name}", HEADER, rows, "56,26,24,24,30", "llrrl"))
    return "\n".join(parts)
