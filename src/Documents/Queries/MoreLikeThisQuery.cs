using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Auto;
using Raven.Documents.Queries.Rql;
using Raven.Search.Fields;
using Raven.Search.Queries;
using Raven.Search.Searchers;

namespace Raven.Documents.Queries;

/// <summary>
/// <c>moreLikeThis(id() = 'a/1', $options)</c>: finds documents with words like those of another one, which a condition
/// finds or a parameter gives.
/// </summary>
internal sealed class MoreLikeThisQuery(QuerySession session, OperationContext context)
{
    private readonly List<BlittableValue> _values = [];
    private BlittableObject _stored;

    /// <summary>Whether a condition is such a call.</summary>
    internal static bool IsOne(RqlExpression? condition) => condition is RqlCall call
        && call.Name.Equals("moreLikeThis", StringComparison.OrdinalIgnoreCase);

    /// <summary>Makes the condition of the query.</summary>
    internal int Translate(RqlCall call)
    {
        if (call.Arguments.Count is 0 or > 2)
        {
            throw Error(call, "expected moreLikeThis(condition or document) or moreLikeThis(..., options)");
        }

        QueryOptions options = new(
            call.Arguments.Count == 2 ? ObjectOf(call.Arguments[1], "options") : default, session.Input.Text,
            call.Arguments[^1].Position);
        BlittableObject document = DocumentOf(call.Arguments[0], out byte[]? key);
        SearchQuery query = session.Workspace.Query;
        if (!document.IsValid)
        {
            return query.None();
        }

        MoreLikeThis like = LikeOf(call, options);
        int root = AddFields(like, document, options.Texts("Fields"));
        return root < 0 ? query.None()
            : key is null ? root
            : query.And(root, query.Not(query.Equal(IndexFieldNames.Id, query.Value(key))));
    }

    private MoreLikeThis LikeOf(RqlCall call, QueryOptions options) => new()
    {
        FrequencyMin = options.Number("MinimumTermFrequency", 2),
        EntriesMin = options.Number("MinimumDocumentFrequency", 5),
        EntriesMax = options.Number("MaximumDocumentFrequency", int.MaxValue),
        EntriesPercentMax = options.Number("MaximumDocumentFrequencyPercentage", 100),
        WordsMax = options.Number("MaximumQueryTerms", 25),
        TokensMax = options.Number("MaximumNumberOfTokensParsed", 5000),
        WordSizeBytesMin = options.Number("MinimumWordLength", 0),
        WordSizeBytesMax = options.Number("MaximumWordLength", 0) is > 0 and int longest ? longest : int.MaxValue,
        IsWeighted = options.Flag("Boost", true),
        Factor = (float)options.Real("BoostFactor", 1),
        StopWords = StopWordsOf(call, options.Text("StopWordsDocumentId")),
    };

    /// <summary>The stop words in the document that the options name: <c>{"StopWords":[...]}</c>.</summary>
    private HashSet<string> StopWordsOf(RqlCall call, string? id)
    {
        if (id is null)
        {
            return [];
        }

        return session.Snapshot.TryGet(Encoding.UTF8.GetBytes(id), out StoredDocument document)
            ? [.. new QueryOptions(document.Data, session.Input.Text, call.Position).Texts("StopWords")
                .Select(word => word.ToLowerInvariant())]
            : throw Error(call, $"there is no document '{id}' of stop words");
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

            Collect(document, path);
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

    /// <summary>Collects the values of a field: those stored in the index, or those in the document under its name. The
    /// name of a field cannot have the dots of a path: <c>Address_City</c> may be <c>Address.City</c>.</summary>
    private void Collect(BlittableObject document, string path)
    {
        _values.Clear();
        if (_stored.IsValid && _stored.TryGet(Encoding.UTF8.GetBytes(path), out BlittableValue kept))
        {
            AddAll(kept);
            return;
        }

        new FieldPath(path).Collect(document.AsValue(), _values);
        if (_values.Count == 0 && path.Contains('_', StringComparison.Ordinal))
        {
            new FieldPath(path.Replace('_', '.')).Collect(document.AsValue(), _values);
        }
    }

    private void AddAll(BlittableValue kept)
    {
        if (!kept.TryGetArray(out BlittableArray items))
        {
            _values.Add(kept);
            return;
        }

        for (int i = 0; i < items.Count; i++)
        {
            _values.Add(items[i]);
        }
    }

    private void ReadStored(NativeSlice stored)
    {
        if (!stored.IsEmpty)
        {
            context.Parser.TryParse(stored.Span, BlittableMode.ToMemory, out _stored, out _);
        }
    }

    /// <summary>The document whose words are searched.</summary>
    private BlittableObject DocumentOf(RqlExpression argument, out byte[]? key)
    {
        key = null;
        if (argument is RqlParameter or RqlScript or RqlLiteral { Value: string })
        {
            return ObjectOf(argument, "a document");
        }

        QueryWorkspace workspace = QueryWorkspace.Rent();
        try
        {
            int root = session.TranslatorInto(workspace.Query).Translate(argument);
            workspace.Searcher.Run(
                session.Reader!, workspace.Query, root,
                new SearchRequest { Take = 1, Cancellation = session.Cancellation });
            if (workspace.Searcher.Count == 0)
            {
                return default;
            }

            key = workspace.Searcher.DocumentId(0).ToArray();
            ReadStored(workspace.Searcher.StoredBytes(0));
        }
        finally
        {
            workspace.Return();
        }

        return session.Snapshot.TryGetByKey(key, out StoredDocument document) ? document.Data : default;
    }

    /// <summary>An object of a parameter, or of JSON in a text or in the query itself.</summary>
    private BlittableObject ObjectOf(RqlExpression argument, string what) =>
        (argument is RqlScript script ? $"{{{script.Text}}}" : session.Translator.Evaluate(argument)) switch
        {
            null => default,
            BlittableValue value when value.TryGetObject(out BlittableObject given) => given,
            string json when context.Parser.TryParse(
                Encoding.UTF8.GetBytes(json), BlittableMode.ToMemory, out BlittableObject parsed, out _) => parsed,
            _ => throw Error(argument, $"expected {what}: an object, or its JSON"),
        };

    private RqlException Error(RqlExpression place, string problem) =>
        new(session.Input.Text, place.Position, problem);
}
