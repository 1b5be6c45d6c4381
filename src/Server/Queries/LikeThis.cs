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

        BlittableObject options = call.Arguments.Count == 2
            && session.Translator.Evaluate(call.Arguments[1]) is BlittableValue given
            && given.TryGetObject(out BlittableObject found) ? found : default;
        BlittableObject document = DocumentOf(call.Arguments[0], out byte[]? key);
        SearchQuery query = session.Workspace.Query;
        query.Clear();
        if (!document.IsValid)
        {
            return query.None();
        }

        var like = new MoreLikeThis
        {
            FrequencyMin = Number(options, "MinimumTermFrequency"u8, 2),
            EntriesMin = Number(options, "MinimumDocumentFrequency"u8, 5),
            WordsMax = Number(options, "MaximumQueryTerms"u8, 25),
        };
        int root = AddFields(like, document, FieldsOf(options));
        return root < 0 ? query.None()
            : key is null ? root
            : query.And(root, query.Not(query.Equal(IndexFieldNames.Id, query.Value(key))));
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
        if (argument is RqlParameter)
        {
            return session.Translator.Evaluate(argument) switch
            {
                BlittableValue value when value.TryGetObject(out BlittableObject given) => given,
                string json when context.Parser.TryParse(
                    Encoding.UTF8.GetBytes(json), BlittableMode.ToMemory, out BlittableObject parsed, out _) => parsed,
                _ => throw Error(argument, "expected a document"),
            };
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

    private static List<string> FieldsOf(BlittableObject options)
    {
        List<string> fields = [];
        if (options.IsValid && options.TryGet("Fields"u8, out BlittableValue list)
            && list.TryGetArray(out BlittableArray names))
        {
            for (int i = 0; i < names.Count; i++)
            {
                fields.Add(names[i].GetString());
            }
        }

        return fields;
    }

    private static int Number(BlittableObject options, ReadOnlySpan<byte> name, int otherwise) =>
        options.IsValid && options.TryGet(name, out BlittableValue value) && value.TryGetInt64(out long number)
            ? (int)Math.Clamp(number, 0, 1_000_000)
            : otherwise;

    private RqlException Error(RqlExpression place, string problem) =>
        new(session.Input.Text, place.Position, problem);
}
