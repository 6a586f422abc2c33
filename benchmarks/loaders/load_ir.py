"""TREC and BEIR: qrels through ir_measures and pytrec_eval; a run in the order of the grades is perfect."""

from reading import rows, run, same


def load(folder, cases):
    import ir_measures
    import pytrec_eval
    from ir_measures import RR, R, nDCG

    grade = {"required": 2, "supporting": 1, "distractor": 0}
    wanted = {}
    for name, case in cases.items():
        if case["expectedSourceIds"] and case["task"] == "question":
            for entry in case["evidence"]:
                key = (name, entry["sourceId"])
                wanted[key] = max(grade[entry["role"]], wanted.get(key, 0))
    judged = list(ir_measures.read_trec_qrels(str(folder / "qrels.trec")))
    same({(q.query_id, q.doc_id): q.relevance for q in judged}, wanted, "judgements")
    with (folder / "qrels.trec").open(encoding="utf-8") as stream:
        same(sum(map(len, pytrec_eval.parse_qrel(stream).values())), len(wanted), "pytrec_eval")
    perfect = [ir_measures.ScoredDoc(q.query_id, q.doc_id, q.relevance + 1 / (2 + n)) for n, q in enumerate(judged)]
    scores = ir_measures.calc_aggregate([R(rel=2) @ 100, nDCG @ 100, RR(rel=2)], judged, perfect)
    assert all(abs(v - 1) < 1e-9 for v in scores.values()), scores
    said = f"{len(judged)} judgements of {len({q.query_id for q in judged})} queries"
    beir = next((b for b in (folder / "beir", folder / "beir.cited") if b.exists()), None)
    if beir:
        documents = {r["_id"] for r in rows(beir / "corpus.jsonl")}
        assert all(source in documents for _, source in wanted)
        said += f", {len(documents)} documents"
    return said


run(load)
