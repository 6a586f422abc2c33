BEGIN TRANSACTION;
CREATE TABLE anchor (
    id integer primary key,
    source_id integer not null references source (id),
    revision_id integer not null references revision (id),
    ordinal integer not null,
    page integer not null,
    page_end integer not null,
    page_label text not null default '',
    section_path text not null default '[]',
    text text not null,
    quote text not null,
    text_hash text not null,
    prefix text not null default '',
    suffix text not null default '',
    copies integer not null default 1,
    copy_index integer not null default 1,
    box text not null default '',
    block integer not null default 0,
    section_row text not null default '',
    key_cell text not null default '',
    cells text not null default '[]',
    unique (source_id, revision_id)
);
INSERT INTO "anchor" VALUES(1,1,1,1,1,1,'','["Article 6. Reports"]','Article 6. Reports
A report is due within 30 days after the end of the quarter. It is kept for five years.','Article 6. Reports
A report is due within 30 days after the end of the quarter. It is kept for five years.','fa07955f2fe95c9c98bc84f776aa858a0a40ec4758c8f74171dbca249df9257f','','Article 7. Penalties
A late report costs up to 10 million eu',1,1,'[31.2, 33.2, 424.9, 65.2]',0,'','','[]');
INSERT INTO "anchor" VALUES(2,2,1,2,1,1,'','["Article 7. Penalties"]','Article 7. Penalties
A late report costs up to 10 million euro. A false report costs up to 25 million euro.','Article 7. Penalties
A late report costs up to 10 million euro. A false report costs up to 25 million euro.','ea35cf6191f52ac66dcf5e4238c2a4847dc18b5f5ca342f9ae724e312fda7edc','ays after the end of the quarter. It is kept for five years.','Article 8. Appeals
An appeal is lodged within 14 days at the',1,1,'[31.2, 84.2, 427.4, 116.3]',0,'','','[]');
INSERT INTO "anchor" VALUES(3,3,1,3,1,2,'','["Article 8. Appeals"]','Article 8. Appeals
An appeal is lodged within 14 days at the regional office, in writing and with reasons.
Table 2. Exclusion from school','Article 8. Appeals
An appeal is lodged within 14 days at the regional office, in writing and with reasons.
Table 2. Exclusion from school','222dcbfa99dc947180afd900b552abb1d61f167b97ea41f81e4b09618c66acda','10 million euro. A false report costs up to 25 million euro.','Table 2. Exclusion from school
Article 8. Appeals
Disease: M',1,1,'[31.2, 135.2, 441.4, 167.3]',0,'','','[]');
INSERT INTO "anchor" VALUES(4,4,1,4,2,2,'','["Article 8. Appeals"]','Table 2. Exclusion from school
Article 8. Appeals
Disease: Measles; Days away: 4','Measles | 4','27f9e308567d503671be17416ae09f045b6266074f68862769a72bad4c99b9bd',' in writing and with reasons.
Table 2. Exclusion from school','Table 2. Exclusion from school
Article 8. Appeals
Disease: M',1,1,'[28.4, 73.0, 368.5, 95.0]',1,'','Measles','["Measles", "4"]');
INSERT INTO "anchor" VALUES(5,5,1,5,2,2,'','["Article 8. Appeals"]','Table 2. Exclusion from school
Article 8. Appeals
Disease: Mumps; Days away: 5','Mumps | 5','3cb9825348d9e5166c856b06a68669dccb7177a4c61176208ad19968801529e3','rom school
Article 8. Appeals
Disease: Measles; Days away: 4','Table 2. Exclusion from school
Article 8. Appeals
Disease: V',1,1,'[28.4, 95.0, 368.5, 117.0]',1,'','Mumps','["Mumps", "5"]');
INSERT INTO "anchor" VALUES(6,6,1,6,2,2,'','["Article 8. Appeals"]','Table 2. Exclusion from school
Article 8. Appeals
Disease: Varicella; Days away: 6','Varicella | 6','7d8b4bf2b9ecb8ffa08d7f80b6b26671b0c532305b02d0ed96df5a5d50a18874',' from school
Article 8. Appeals
Disease: Mumps; Days away: 5','',1,1,'[28.4, 117.0, 368.5, 139.0]',1,'','Varicella','["Varicella", "6"]');
CREATE TABLE block (
    revision_id integer not null references revision (id),
    ordinal integer not null,
    name text not null,
    title text not null default '',
    header text not null,
    pages text not null,
    section_path text not null default '[]',
    footnotes text not null default '[]',
    origin text not null default '',
    confidence real not null default 1,
    primary key (revision_id, ordinal)
);
INSERT INTO "block" VALUES(1,1,'regulation.table-2','Table 2. Exclusion from school','["Disease", "Days away"]','[2]','["Article 8. Appeals"]','[]','ruled',1.0);
CREATE TABLE document (
    id text primary key,
    title text not null,
    domain text not null default '',
    document_type text not null default '',
    language text not null default '',
    effective_from text not null default '',
    effective_to text not null default '',
    revision_id integer not null,
    version integer not null default 1,
    seq integer not null references event (seq)
);
INSERT INTO "document" VALUES('regulation','regulation','rules','','en','','',1,1,1);
CREATE TABLE draft (
    actor text not null,
    entity text not null,
    entity_id text not null,
    base_version integer not null,
    content text not null,
    updated_at text not null,
    primary key (actor, entity, entity_id)
);
CREATE TABLE event (
    seq integer primary key autoincrement,
    at text not null,
    actor text not null,
    entity text not null,
    entity_id text not null,
    verb text not null,
    version integer not null default 0,
    data text not null default '{}'
, undoes integer not null default 0);
INSERT INTO "event" VALUES(1,'2026-11-30T13:30:56Z','ada','document','regulation','ingested',1,'{"file": "regulation.pdf", "sha256": "caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff", "sources": 6}',0);
INSERT INTO "event" VALUES(2,'2026-11-30T13:30:58Z','ada','case','rules-nj0h5y','created',1,'{"after": {"id": "rules-nj0h5y", "task": "question", "turns": ["What does a late report cost?"], "language": "en", "expectedBehavior": "answer", "referenceAnswer": "10 million euro.", "acceptableAnswers": [], "mustNotClaim": [], "asOf": "", "asker": "", "evidence": [{"sourceId": "regulation:article-7", "role": "required", "group": "regulation:article-7", "quote": "Article 7. Penalties\nA late report costs up to 10 million euro. A false report costs up to 25 million euro.", "documentId": "regulation", "documentVersion": "1", "documentSha256": "caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff", "page": 1, "pageLabel": "", "sectionPath": ["Article 7. Penalties"], "tableTitle": "", "tableHeader": [], "tableCells": [], "footnotes": [], "effectiveFrom": "", "effectiveTo": ""}], "keyProvisions": [], "requiredBehaviors": [], "refusalReason": "", "escalateTo": "", "escalateWhen": "", "risk": "low", "consequence": "", "domain": "rules", "documentType": "", "difficulty": "easy", "route": "", "documents": [{"documentId": "regulation", "documentVersion": "1", "documentSha256": "caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff", "title": "regulation", "pages": 2}], "failureStage": "none", "origin": "expert", "turnExpectations": [], "tags": [], "notes": "", "attributes": []}}',0);
INSERT INTO "event" VALUES(3,'2026-11-30T13:31:00Z','ada','case','case-zqdgre','created',1,'{"after": {"id": "case-zqdgre", "task": "question", "turns": ["A draft, typed in 한국어?"], "language": "", "expectedBehavior": "answer", "referenceAnswer": "", "acceptableAnswers": [], "mustNotClaim": [], "asOf": "", "asker": "", "evidence": [], "keyProvisions": [], "requiredBehaviors": [], "refusalReason": "", "escalateTo": "", "escalateWhen": "", "risk": "low", "consequence": "", "domain": "", "documentType": "", "difficulty": "easy", "route": "", "documents": [], "failureStage": "none", "origin": "expert", "turnExpectations": [], "tags": [], "notes": "", "attributes": []}}',0);
INSERT INTO "event" VALUES(4,'2026-11-30T13:31:04Z','ada','case','rules-nj0h5y','edited',2,'{"before": {"id": "rules-nj0h5y", "task": "question", "turns": ["What does a late report cost?"], "language": "en", "expectedBehavior": "answer", "referenceAnswer": "10 million euro.", "acceptableAnswers": [], "mustNotClaim": [], "asOf": "", "asker": "", "evidence": [{"sourceId": "regulation:article-7", "role": "required", "group": "regulation:article-7", "quote": "Article 7. Penalties\nA late report costs up to 10 million euro. A false report costs up to 25 million euro.", "documentId": "regulation", "documentVersion": "1", "documentSha256": "caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff", "page": 1, "pageLabel": "", "sectionPath": ["Article 7. Penalties"], "tableTitle": "", "tableHeader": [], "tableCells": [], "footnotes": [], "effectiveFrom": "", "effectiveTo": ""}], "keyProvisions": [], "requiredBehaviors": [], "refusalReason": "", "escalateTo": "", "escalateWhen": "", "risk": "low", "consequence": "", "domain": "rules", "documentType": "", "difficulty": "easy", "route": "", "documents": [{"documentId": "regulation", "documentVersion": "1", "documentSha256": "caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff", "title": "regulation", "pages": 2}], "failureStage": "none", "origin": "expert", "turnExpectations": [], "tags": [], "notes": "", "attributes": []}, "after": {"id": "rules-nj0h5y", "task": "question", "turns": ["What does a late report cost?"], "language": "en", "expectedBehavior": "answer", "referenceAnswer": "10 million euro.", "acceptableAnswers": [], "mustNotClaim": [], "asOf": "", "asker": "", "evidence": [{"sourceId": "regulation:article-7", "role": "required", "group": "regulation:article-7", "quote": "Article 7. Penalties\nA late report costs up to 10 million euro. A false report costs up to 25 million euro.", "documentId": "regulation", "documentVersion": "1", "documentSha256": "caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff", "page": 1, "pageLabel": "", "sectionPath": ["Article 7. Penalties"], "tableTitle": "", "tableHeader": [], "tableCells": [], "footnotes": [], "effectiveFrom": "", "effectiveTo": ""}], "keyProvisions": [], "requiredBehaviors": [], "refusalReason": "", "escalateTo": "", "escalateWhen": "", "risk": "low", "consequence": "", "domain": "rules", "documentType": "", "difficulty": "easy", "route": "", "documents": [{"documentId": "regulation", "documentVersion": "1", "documentSha256": "caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff", "title": "regulation", "pages": 2}], "failureStage": "none", "origin": "expert", "turnExpectations": [], "tags": [], "notes": "edited", "attributes": []}, "status": "draft"}',0);
INSERT INTO "event" VALUES(5,'2026-11-30T13:31:07Z','ada','case','rules-nj0h5y','submitted',3,'{"before": {"status": "draft"}, "after": {"status": "in_review"}}',0);
INSERT INTO "event" VALUES(6,'2026-11-30T13:31:07Z','ada','review','rules-nj0h5y','reviewed',0,'{"caseId": "rules-nj0h5y", "slot": "label-1", "actor": "ada", "at": "2026-11-30T13:31:07Z", "decision": "approve", "expectedBehavior": "answer", "expectedSourceIds": ["regulation:article-7"], "risk": "low", "reason": "", "contentHash": "sha256:53a181638fe136eb392e578c455765466bbe1d26b93f894c9dfb1926a0f67f68", "questionHash": "sha256:f6db93b401bc568c37dcd04c34177fcf8eecc9e9cec2e26a9087fa1b32dcf7ab", "withdrawn": false}',0);
INSERT INTO "event" VALUES(7,'2026-11-30T13:31:08Z','ben','review','rules-nj0h5y','reviewed',0,'{"caseId": "rules-nj0h5y", "slot": "approval", "actor": "ben", "at": "2026-11-30T13:31:08Z", "decision": "approve", "expectedBehavior": "", "expectedSourceIds": [], "risk": "low", "reason": "", "contentHash": "sha256:53a181638fe136eb392e578c455765466bbe1d26b93f894c9dfb1926a0f67f68", "questionHash": "sha256:f6db93b401bc568c37dcd04c34177fcf8eecc9e9cec2e26a9087fa1b32dcf7ab", "withdrawn": false}',0);
INSERT INTO "event" VALUES(8,'2026-11-30T13:31:08Z','ben','case','rules-nj0h5y','approved',4,'{"before": {"status": "in_review"}, "after": {"status": "approved", "flags": "[]", "approvals": 1, "confirmed_at": "2026-11-30T13:31:08Z", "side": "dev", "approved_hash": "sha256:53a181638fe136eb392e578c455765466bbe1d26b93f894c9dfb1926a0f67f68", "case_version": 1}}',0);
INSERT INTO "event" VALUES(9,'2026-11-30T13:31:10Z','ada','suite','rules','released',0,'{"version": "1.0.0", "cases": 1}',0);
CREATE TABLE golden_case (
    id text primary key,
    seq integer not null unique references event (seq),
    status text not null,
    flags text not null default '[]',
    author text not null,
    imported integer not null default 0,
    version integer not null default 1,
    case_version integer not null default 1,
    approvals integer not null default 0,
    confirmed_at text not null default '',
    side text not null default '',
    content text not null,
    content_hash text not null,
    approved_hash text not null default '',
    question text not null default '',
    domain text not null default '',
    behavior text not null,
    risk text not null,
    task text not null,
    language text not null default '',
    route text not null default '',
    created_at text not null,
    updated_at text not null,
    retired_at text not null default '',
    retired_reason text not null default '',
    successor text not null default ''
);
INSERT INTO "golden_case" VALUES('rules-nj0h5y',2,'approved','[]','ada',0,4,1,1,'2026-11-30T13:31:08Z','dev','{"id":"rules-nj0h5y","task":"question","turns":["What does a late report cost?"],"language":"en","expectedBehavior":"answer","referenceAnswer":"10 million euro.","acceptableAnswers":[],"mustNotClaim":[],"asOf":"","asker":"","evidence":[{"sourceId":"regulation:article-7","role":"required","group":"regulation:article-7","quote":"Article 7. Penalties\nA late report costs up to 10 million euro. A false report costs up to 25 million euro.","documentId":"regulation","documentVersion":"1","documentSha256":"caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff","page":1,"pageLabel":"","sectionPath":["Article 7. Penalties"],"tableTitle":"","tableHeader":[],"tableCells":[],"footnotes":[],"effectiveFrom":"","effectiveTo":""}],"keyProvisions":[],"requiredBehaviors":[],"refusalReason":"","escalateTo":"","escalateWhen":"","risk":"low","consequence":"","domain":"rules","documentType":"","difficulty":"easy","route":"","documents":[{"documentId":"regulation","documentVersion":"1","documentSha256":"caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff","title":"regulation","pages":2}],"failureStage":"none","origin":"expert","turnExpectations":[],"tags":[],"notes":"edited","attributes":[]}','sha256:53a181638fe136eb392e578c455765466bbe1d26b93f894c9dfb1926a0f67f68','sha256:53a181638fe136eb392e578c455765466bbe1d26b93f894c9dfb1926a0f67f68','What does a late report cost?','rules','answer','low','question','en','','2026-11-30T13:30:58Z','2026-11-30T13:31:08Z','','','');
INSERT INTO "golden_case" VALUES('case-zqdgre',3,'draft','[]','ada',0,1,1,0,'','','{"id":"case-zqdgre","task":"question","turns":["A draft, typed in 한국어?"],"language":"","expectedBehavior":"answer","referenceAnswer":"","acceptableAnswers":[],"mustNotClaim":[],"asOf":"","asker":"","evidence":[],"keyProvisions":[],"requiredBehaviors":[],"refusalReason":"","escalateTo":"","escalateWhen":"","risk":"low","consequence":"","domain":"","documentType":"","difficulty":"easy","route":"","documents":[],"failureStage":"none","origin":"expert","turnExpectations":[],"tags":[],"notes":"","attributes":[]}','sha256:e6e32adced56e2e8b9561449943b99fe96e84de9adb9108195ade52107df099d','','A draft, typed in 한국어?','','answer','low','question','','','2026-11-30T13:31:00Z','2026-11-30T13:31:00Z','','','');
CREATE TABLE page (
    revision_id integer not null references revision (id),
    number integer not null,
    label text not null default '',
    kind text not null,
    chars integer not null,
    note text not null default '',
    text text not null,
    running text not null default '[]',
    primary key (revision_id, number)
);
INSERT INTO "page" VALUES(1,1,'','text',321,'','Article 6. Reports
A report is due within 30 days after the end of the quarter. It is kept for five years.
Article 7. Penalties
A late report costs up to 10 million euro. A false report costs up to 25 million euro.
Article 8. Appeals
An appeal is lodged within 14 days at the regional office, in writing and with reasons.','[]');
INSERT INTO "page" VALUES(1,2,'','text',86,'','Table 2. Exclusion from school
Disease | Days away
Measles | 4
Mumps | 5
Varicella | 6','[]');
CREATE TABLE release (
    suite text not null,
    version text not null,
    parent text not null default '',
    created_at text not null,
    actor text not null,
    manifest text not null,
    seq integer not null references event (seq),
    primary key (suite, version)
);
INSERT INTO "release" VALUES('rules','1.0.0','','2026-11-30T13:31:08Z','ada','{"suite": "rules", "version": "1.0.0", "parent": "", "createdAt": "2026-11-30T13:31:08Z", "description": "Rules.", "schema": {"id": "urn:curator:case:1.0.0", "sha256": "dfddd2e18bb4eb6aae8a0b998a7712a0e242d69adf3992e8cd2c6a98290fdce6"}, "canary": "curator-canary:550445b2-5e90-51f3-871a-d2da177fee30", "counts": {"cases": 1, "partition": {"dev": 1, "holdout": 0, "followup_dev": 0, "followup_holdout": 0}, "stratum": {"domain": {"rules": 1}, "documentType": {"": 1}, "expectedBehavior": {"answer": 1}, "task": {"question": 1}, "risk": {"low": 1}, "difficulty": {"easy": 1}, "route": {"": 1}, "language": {"en": 1}, "lengthStratum": {"2x": 1}, "sectionPosition": {"early": 1}, "conversation": {"single": 1}}}, "files": [{"path": "dev.jsonl", "bytes": 1530, "sha256": "bfcc949c048601cdbe1841f57f9f755c3a68d5b15ff456afdcb25b408ca077b7"}, {"path": "sources.jsonl", "bytes": 321, "sha256": "0ff1411aca245854507a859fcf3593f716543508b638fad54f3a1faf4fe8990b"}, {"path": "case.schema.json", "bytes": 12027, "sha256": "dfddd2e18bb4eb6aae8a0b998a7712a0e242d69adf3992e8cd2c6a98290fdce6"}, {"path": "datapackage.json", "bytes": 5803, "sha256": "e8d9e698779f816dc52280ff99526736ad5f2072373e1a81d3d0f9bffbb3edd3"}, {"path": "README.md", "bytes": 7087, "sha256": "3e267348daf0311e18b13c6cdec8b9b8390f7f2f2995a8e9a757d3551e27ca6e"}, {"path": "CHANGES.md", "bytes": 125, "sha256": "8e228df7c65697bba7a09ba8d3b3166120449e252266293c76ccaf055f782ddb"}], "holdout": [], "documents": [{"documentId": "regulation", "version": "1", "sha256": "caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff", "pages": 2}], "parser": {"name": "curator-pdf", "version": "1"}, "selection": {"include": {"domain": [], "document": [], "tag": [], "risk": [], "task": [], "language": []}, "exclude": {"domain": [], "document": [], "tag": [], "risk": [], "task": [], "language": []}}, "policy": {"quotas": [], "review": {"solo": false, "doubleShare": 0, "seed": 1, "floors": []}, "sha256": "83067fd7df0d3b592c4943cc43fee0d864ab39a0ddfe1d27459bd42a2a0a1644"}, "waivers": [], "stale": [], "tombstones": [], "reviewers": ["ben"], "agreement": {"doubleLabeled": 0, "fields": [{"field": "expectedBehavior", "cases": 0, "equal": 0}, {"field": "expectedSourceIds", "cases": 0, "equal": 0}, {"field": "risk", "cases": 0, "equal": 0}]}, "partitions": {"level": "top section", "seed": 1, "holdout": 0.25}, "reference": {"median": 1, "origin": "curator.toml", "asOf": ""}, "changes": [{"id": "rules-nj0h5y", "what": "added", "level": "minor", "fields": []}], "notes": []}',9);
CREATE TABLE release_case (
    suite text not null,
    version text not null,
    case_id text not null references golden_case (id),
    line text not null,
    primary key (suite, version, case_id),
    foreign key (suite, version) references release (suite, version)
);
INSERT INTO "release_case" VALUES('rules','1.0.0','rules-nj0h5y','{"id":"rules-nj0h5y","task":"question","turns":["What does a late report cost?"],"language":"en","expectedBehavior":"answer","referenceAnswer":"10 million euro.","acceptableAnswers":[],"mustNotClaim":[],"asOf":"","asker":"","expectedSourceIds":["regulation:article-7"],"evidence":[{"sourceId":"regulation:article-7","role":"required","group":"regulation:article-7","quote":"Article 7. Penalties\nA late report costs up to 10 million euro. A false report costs up to 25 million euro.","documentId":"regulation","documentVersion":"1","documentSha256":"caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff","page":1,"pageLabel":"","sectionPath":["Article 7. Penalties"],"tableTitle":"","tableHeader":[],"tableCells":[],"footnotes":[],"effectiveFrom":"","effectiveTo":""}],"keyProvisions":[],"requiredBehaviors":[],"refusalReason":"","escalateTo":"","escalateWhen":"","risk":"low","consequence":"","domain":"rules","documentType":"","difficulty":"easy","route":"","documents":[{"documentId":"regulation","documentVersion":"1","documentSha256":"caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff","title":"regulation","pages":2}],"lengthStratum":"2x","sectionPosition":"early","partition":"dev","failureStage":"none","origin":"expert","turnExpectations":[],"tags":[],"notes":"edited","caseVersion":1,"confirmedAt":"2026-11-30","approvals":1,"attributes":[],"canary":"curator-canary:550445b2-5e90-51f3-871a-d2da177fee30","contentHash":"sha256:53a181638fe136eb392e578c455765466bbe1d26b93f894c9dfb1926a0f67f68"}');
CREATE TABLE review (
    seq integer primary key references event (seq),
    case_id text not null references golden_case (id),
    slot text not null,
    actor text not null,
    at text not null,
    decision text not null,
    expected_behavior text not null default '',
    expected_source_ids text not null default '[]',
    risk text not null default '',
    reason text not null default '',
    content_hash text not null,
    question_hash text not null
);
INSERT INTO "review" VALUES(6,'rules-nj0h5y','label-1','ada','2026-11-30T13:31:07Z','approve','answer','["regulation:article-7"]','low','','sha256:53a181638fe136eb392e578c455765466bbe1d26b93f894c9dfb1926a0f67f68','sha256:f6db93b401bc568c37dcd04c34177fcf8eecc9e9cec2e26a9087fa1b32dcf7ab');
INSERT INTO "review" VALUES(7,'rules-nj0h5y','approval','ben','2026-11-30T13:31:08Z','approve','','[]','low','','sha256:53a181638fe136eb392e578c455765466bbe1d26b93f894c9dfb1926a0f67f68','sha256:f6db93b401bc568c37dcd04c34177fcf8eecc9e9cec2e26a9087fa1b32dcf7ab');
CREATE TABLE revision (
    id integer primary key,
    document_id text not null references document (id) deferrable initially deferred,
    label text not null,
    sha256 text not null unique,
    file text not null,
    bytes integer not null,
    pages integer not null,
    parser text not null,
    warnings text not null default '[]',
    ingested_at text not null,
    seq integer not null references event (seq),
    unique (document_id, label)
);
INSERT INTO "revision" VALUES(1,'regulation','1','caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff','regulation.pdf',1873,2,'curator-pdf 1','[]','2026-11-30T13:30:56Z',1);
CREATE TABLE section (
    revision_id integer not null references revision (id),
    ordinal integer not null,
    path text not null,
    title text not null,
    label text not null default '',
    page integer not null,
    level integer not null,
    primary key (revision_id, ordinal)
);
INSERT INTO "section" VALUES(1,1,'["Article 6. Reports"]','Article 6. Reports','Article 6',1,1);
INSERT INTO "section" VALUES(1,2,'["Article 7. Penalties"]','Article 7. Penalties','Article 7',1,1);
INSERT INTO "section" VALUES(1,3,'["Article 8. Appeals"]','Article 8. Appeals','Article 8',1,1);
CREATE TABLE source (
    id integer primary key,
    name text not null unique,
    document_id text not null references document (id) deferrable initially deferred,
    kind text not null,
    seq integer not null references event (seq)
);
INSERT INTO "source" VALUES(1,'regulation:article-6','regulation','chunk',1);
INSERT INTO "source" VALUES(2,'regulation:article-7','regulation','chunk',1);
INSERT INTO "source" VALUES(3,'regulation:article-8','regulation','chunk',1);
INSERT INTO "source" VALUES(4,'regulation.table-2:measles','regulation','row',1);
INSERT INTO "source" VALUES(5,'regulation.table-2:mumps','regulation','row',1);
INSERT INTO "source" VALUES(6,'regulation.table-2:varicella','regulation','row',1);
CREATE TABLE source_alias (
    name text primary key,
    source_id integer not null references source (id)
);
CREATE TABLE waiver (
    seq integer primary key references event (seq),
    suite text not null,
    gap text not null,
    reason text not null,
    actor text not null,
    at text not null
);
CREATE INDEX event_by_entity on event (entity, entity_id, seq);
CREATE INDEX source_by_document on source (document_id);
CREATE UNIQUE INDEX anchor_by_revision on anchor (revision_id, ordinal);
CREATE INDEX anchor_by_page on anchor (revision_id, page, ordinal);
CREATE INDEX case_by_status on golden_case (status, seq);
CREATE INDEX review_by_case on review (case_id, seq);
CREATE INDEX event_by_actor on event (actor, seq);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('event',9);
COMMIT;
PRAGMA user_version=2;
