using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Search;
using Raven.Server.Documents;
using Raven.Server.Indexing.Auto;
using Raven.Server.Queries.Rql;

namespace Raven.Server.Queries;

/// <summary>
/// <c>moreLikeThis(id() = 'a/1', $options)</c>: finds documents whose words are like those of another one, which is
/// found by a condition or given as a parameter.
/// </summary>
internal sealed class LikeThis(QuerySession session, OperationContext context)
{
    private readonly List<BlittableValue> _values = [];

    /// <summary>Whether a condition is one.</summary>
    internal static bool IsOne(RqlExpression? condition) => condition is RqlCall call
        && call.Name.Equals("moreLikeThis", StringComparison.OrdinalIgnoreCase);

    /// <summary>Makes the condition of the query.</summary>
    internal int Translate(RqlCall call)
    {
        if (call.Arguments.Count is 0 or > 2)
        {
            throw Error(call, "expected moreLikeThis(condition or document) or moreLikeThis(..., options)");
        }

        BlittableObject options = call.Arguments.Count == 2 ? ObjectOf(call.Arguments[1], "options") : default;
        BlittableObject document = DocumentOf(call.Arguments[0], out byte[]? key);
        SearchQuery query = session.Workspace.Query;
        query.Clear();
        if (!document.IsValid)
        {
            return query.None();
        }

        MoreLikeThis like = LikeOf(call, options);
        int root = AddFields(like, document, FieldsOf(options));
        return root < 0 ? query.None()
            : key is null ? root
            : query.And(root, query.Not(query.Equal(IndexFieldNames.Id, query.Value(key))));
    }

    private MoreLikeThis LikeOf(RqlCall call, BlittableObject options) => new()
    {
        FrequencyMin = Number(options, "MinimumTermFrequency", 2),
        EntriesMin = Number(options, "MinimumDocumentFrequency", 5),
        EntriesMax = Number(options, "MaximumDocumentFrequency", int.MaxValue),
        EntriesPercentMax = Number(options, "MaximumDocumentFrequencyPercentage", 100),
        WordsMax = Number(options, "MaximumQueryTerms", 25),
        TokensMax = Number(options, "MaximumNumberOfTokensParsed", 5000),
        WordSizeBytesMin = Number(options, "MinimumWordLength", 0),
        WordSizeBytesMax = Number(options, "MaximumWordLength", 0) is > 0 and int longest ? longest : int.MaxValue,
        IsWeighted = Find(options, "Boost") is not { Kind: ValueKind.False },
        Factor = Find(options, "BoostFactor") is { } factor && factor.TryGetDouble(out double times) ? (float)times : 1,
        StopWords = StopWordsOf(call, options),
    };

    /// <summary>The words of the document that the options name: <c>{"StopWords":[...]}</c>.</summary>
    private HashSet<string> StopWordsOf(RqlCall call, BlittableObject options)
    {
        HashSet<string> words = new(StringComparer.Ordinal);
        if (Find(options, "StopWordsDocumentId") is not { Kind: ValueKind.String } id)
        {
            return words;
        }

        if (!session.Snapshot.TryGet(Encoding.UTF8.GetBytes(id.GetString()), out StoredDocument document))
        {
            throw Error(call, $"there is no document '{id.GetString()}' of stop words");
        }

        if (Find(document.Data, "StopWords") is { } list && list.TryGetArray(out BlittableArray items))
        {
            for (int i = 0; i < items.Count; i++)
            {
                words.Add(items[i].Kind == ValueKind.String ? items[i].GetString().ToLowerInvariant() : "");
            }
        }

        return words;
    }

    private int AddFields(MoreLikeThis like, BlittableObject document, List<string> wanted)
    {
        SearchQuery query = session.Workspace.Query;
        int root = -1;
        foreach (IndexField field in session.Fields)
        {
            string path = field.Name.StartsWith("search(", StringComparison.Ordinal) ? field.Name[7..^1] : field.Name;
            if (field.Kind != FieldKind.FullText
                || (wanted.Count > 0 && !wanted.Contains(path, StringComparer.OrdinalIgnoreCase)))
            {
                continue;
            }

            _values.Clear();
            new FieldPath(path).Collect(document.AsValue(), _values);
            foreach (BlittableValue value in _values)
            {
                if (value.Kind == ValueKind.String)
                {
                    int node = like.AddTo(session.Reader!, query, field, value.GetUtf8(context.Arena).Span);
                    root = root < 0 ? node : query.Or(root, node);
                }
            }
        }

        return root;
    }

    /// <summary>The document that others are to be like.</summary>
    private BlittableObject DocumentOf(RqlExpression argument, out byte[]? key)
    {
        key = null;
        if (argument is RqlParameter or RqlScript or RqlLiteral { Value: string })
        {
            return ObjectOf(argument, "a document");
        }

        int root = session.Translator.Translate(argument);
        IndexSearcher searcher = session.Workspace.Searcher;
        searcher.Run(session.Reader!, session.Workspace.Query, root, new SearchRequest { Take = 1 });
        if (searcher.Count == 0)
        {
            return default;
        }

        key = searcher.DocumentId(0).ToArray();
        return session.Snapshot.TryGetByKey(key, out StoredDocument document) ? document.Data : default;
    }

    /// <summary>An object that is a parameter, or JSON in a text or in the query itself.</summary>
    private BlittableObject ObjectOf(RqlExpression argument, string what) =>
        (argument is RqlScript script ? $"{{{script.Text}}}" : session.Translator.Evaluate(argument)) switch
        {
            null => default,
            BlittableValue value when value.TryGetObject(out BlittableObject given) => given,
            string json when context.Parser.TryParse(
                Encoding.UTF8.GetBytes(json), BlittableMode.ToMemory, out BlittableObject parsed, out _) => parsed,
            _ => throw Error(argument, $"expected {what}: an object, or its JSON"),
        };

    private static List<string> FieldsOf(BlittableObject options)
    {
        List<string> fields = [];
        if (Find(options, "Fields") is { } list && list.TryGetArray(out BlittableArray names))
        {
            for (int i = 0; i < names.Count; i++)
            {
                fields.Add(names[i].Kind == ValueKind.String ? names[i].GetString() : "");
            }
        }

        return fields;
    }

    private static int Number(BlittableObject options, string name, int otherwise) =>
        Find(options, name) is { } value && value.TryGetInt64(out long number)
            ? (int)Math.Clamp(number, 0, int.MaxValue)
            : otherwise;

    /// <summary>An option, whose name begins with a capital letter or, as some clients send it, with a small
    /// one.</summary>
    private static BlittableValue? Find(BlittableObject options, string name)
    {
        if (!options.IsValid)
        {
            return null;
        }

        string small = char.ToLowerInvariant(name[0]) + name[1..];
        return (options.TryGet(Encoding.UTF8.GetBytes(name), out BlittableValue value)
            || options.TryGet(Encoding.UTF8.GetBytes(small), out value)) && !value.IsNull
            ? value
            : null;
    }

    private RqlException Error(RqlExpression place, string problem) =>
        new(session.Input.Text, place.Position, problem);
}
