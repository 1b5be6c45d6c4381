// src/rql/rqlWords.ts
/** Words that begin or join parts of a query. */
const KEYWORDS = /* @__PURE__ */ new Set([
	"all",
	"and",
	"as",
	"asc",
	"between",
	"by",
	"declare",
	"desc",
	"distinct",
	"explain",
	"false",
	"filter",
	"filter_limit",
	"from",
	"function",
	"group",
	"in",
	"include",
	"index",
	"limit",
	"load",
	"not",
	"null",
	"offset",
	"or",
	"order",
	"select",
	"timeseries",
	"true",
	"update",
	"where"
]);
/** Functions that are conditions. */
const CONDITIONS = [
	{
		name: "search",
		call: "field, 'words'",
		about: "texts that have the words"
	},
	{
		name: "startsWith",
		call: "field, 'start'",
		about: "texts that begin so"
	},
	{
		name: "endsWith",
		call: "field, 'end'",
		about: "texts that end so"
	},
	{
		name: "exact",
		call: "field = 'Value'",
		about: "the case matters"
	},
	{
		name: "exists",
		call: "field",
		about: "documents that have the field"
	},
	{
		name: "regex",
		call: "field, 'pattern'",
		about: "texts that a pattern matches"
	},
	{
		name: "lucene",
		call: "field, 'query'",
		about: "the query language of Lucene"
	},
	{
		name: "fuzzy",
		call: "field = 'word', 0.5",
		about: "words that are near"
	},
	{
		name: "proximity",
		call: "search(field, 'a b'), 5",
		about: "words that stand near each other"
	},
	{
		name: "boost",
		call: "field = 1, 2",
		about: "what it finds weighs more"
	},
	{
		name: "intersect",
		call: "a = 1, b = 2",
		about: "all conditions, in entries of one document"
	},
	{
		name: "fuse",
		call: "a, b",
		about: "the ranks of conditions as one score"
	},
	{
		name: "when",
		call: "$parameter != null, condition",
		about: "a condition that stands only sometimes"
	},
	{
		name: "vector.search",
		call: "embedding.text(field), $text",
		about: "the nearest vectors"
	},
	{
		name: "spatial.within",
		call: "spatial.point(lat, lng), spatial.circle(10, 50, 8)",
		about: "points in a shape"
	},
	{
		name: "spatial.contains",
		call: "shape, shape",
		about: "shapes that contain another"
	},
	{
		name: "spatial.disjoint",
		call: "shape, shape",
		about: "shapes apart from another"
	},
	{
		name: "spatial.intersects",
		call: "shape, shape",
		about: "shapes that meet another"
	},
	{
		name: "id",
		call: "",
		about: "the id of the document"
	},
	{
		name: "now",
		call: "",
		about: "this moment"
	},
	{
		name: "today",
		call: "",
		about: "this day"
	},
	{
		name: "cmpxchg",
		call: "'key'",
		about: "a compare-exchange value"
	}
];
/** Functions of order by. */
const ORDERS = [
	{
		name: "score",
		call: "",
		about: "the best first"
	},
	{
		name: "random",
		call: "",
		about: "by chance"
	},
	{
		name: "spatial.distance",
		call: "field, spatial.point(50, 8)",
		about: "the nearest first"
	},
	{
		name: "id",
		call: "",
		about: "the id of the document"
	},
	{
		name: "custom",
		call: "field, 'Sorter'",
		about: "a sorter of one's own"
	}
];
/** Functions of select. */
const SELECTS = [
	{
		name: "count",
		call: "",
		about: "how many documents a group has"
	},
	{
		name: "sum",
		call: "field",
		about: "the sum in a group"
	},
	{
		name: "min",
		call: "field",
		about: "the least in a group"
	},
	{
		name: "max",
		call: "field",
		about: "the greatest in a group"
	},
	{
		name: "avg",
		call: "field",
		about: "the mean in a group"
	},
	{
		name: "key",
		call: "",
		about: "the key of a group"
	},
	{
		name: "facet",
		call: "field",
		about: "counts of each value"
	},
	{
		name: "suggest",
		call: "field, 'word'",
		about: "words that are near"
	},
	{
		name: "counter",
		call: "'name'",
		about: "a counter of the document"
	},
	{
		name: "timeseries",
		call: "from Series",
		about: "a query of a time series"
	},
	{
		name: "id",
		call: "",
		about: "the id of the document"
	},
	{
		name: "getMetadata",
		call: "alias",
		about: "the metadata of the document"
	}
];
/** Functions of include. */
const INCLUDES = [
	{
		name: "timings",
		call: "",
		about: "where the time went"
	},
	{
		name: "explanations",
		call: "",
		about: "why each result scores so"
	},
	{
		name: "highlight",
		call: "field, 80, 1",
		about: "the places that were found"
	},
	{
		name: "counters",
		call: "",
		about: "the counters of each document"
	},
	{
		name: "timeseries",
		call: "'name'",
		about: "a time series of each document"
	},
	{
		name: "revisions",
		call: "'2026-01-01'",
		about: "the revision at a time"
	},
	{
		name: "cmpxchg",
		call: "path",
		about: "compare-exchange values"
	}
];

export { CONDITIONS, INCLUDES, KEYWORDS, ORDERS, SELECTS };