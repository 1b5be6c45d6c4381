using System.Buffers;
using System.Text.Json;
using Raven.Blittable.Contexts;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Auto;
using Raven.Documents.Json;
using Raven.Documents.Queries.Rql;
using Raven.Documents.Queries.Series;
using Raven.Documents.Rows;
using Raven.Documents.Settings;

namespace Raven.Documents.Queries.Results;

/// <summary>Projections of fields: <c>select Name, Address.City as City, id() as Id</c>.</summary>
internal sealed class ProjectionWriter : ResultWriter
{
    private readonly List<ProjectedField> _fields = [];
    private readonly List<BlittableValue> _values = [];
    private readonly DistinctResult _distinct = new();
    private readonly LoadedDocuments _loaded;
    private readonly RqlTranslator _translator;
    private readonly OperationContext _context;
    private readonly bool _usesIndex;
    private readonly bool _usesDocument;
    private readonly bool _mustBeThere;

    /// <summary>Whether the row is the time series itself: it is the only field, and has no name.</summary>
    private readonly bool _isSeries;
    private IBufferWriter<byte> _target;

    /// <summary>Makes the projection of a query.</summary>
    internal ProjectionWriter(
        QueryInput input, RqlTranslator translator, LoadedDocuments loaded, OperationContext context)
    {
        _translator = translator;
        _loaded = loaded;
        _context = context;
        _target = _distinct;
        _usesIndex = !input.Projection.StartsWith("FromDocument", StringComparison.Ordinal);
        _usesDocument = !input.Projection.StartsWith("FromIndex", StringComparison.Ordinal);
        _mustBeThere = input.Projection.EndsWith("OrThrow", StringComparison.Ordinal);
        foreach (RqlNamed item in input.Rql.Select)
        {
            _fields.Add(FieldOf(input, item));
        }

        _isSeries = _fields is [{ Series: not null }] && input.Rql.Select[0].Alias is null;
    }

    /// <inheritdoc/>
    internal override bool TryWrite(IBufferWriter<byte> target, in QueryHit hit)
    {
        try
        {
            using JsonDocument? stored = hit.Stored.IsEmpty || !_usesIndex
                ? null
                : StoredJson.Parse(hit.Stored.Span.ToArray());
            if (IsWanted is { } isWanted)
            {
                // Whether it is like another is known before it is written: a long one is made twice, not kept.
                _distinct.Begin();
                WriteFields(_distinct, in hit, stored);
                _distinct.Write("}"u8);
                if (!isWanted(_distinct.Finish()))
                {
                    return false;
                }
            }

            if (IsWanted is not null && _distinct.IsKept)
            {
                target.Write(_distinct.Kept[..^1]);
            }
            else
            {
                WriteFields(target, in hit, stored);
            }

            target.Write(",\"@metadata\":"u8);
            WriteOnlyMetadata(target, in hit);
            target.Write("}"u8);
            return true;
        }
        finally
        {
            _context.Reset();
        }
    }

    /// <summary>Writes the fields as an object that is still open.</summary>
    private void WriteFields(IBufferWriter<byte> target, in QueryHit hit, JsonDocument? stored)
    {
        _target = target;
        _target.Write("{"u8);
        if (_isSeries)
        {
            WriteSeries(_fields[0].Series!, in hit);
            return;
        }

        for (int i = 0; i < _fields.Count; i++)
        {
            var json = new JsonOutput(_target);
            json.String(_fields[i].Name.AsSpan());
            json.Flush();
            _target.Write(":"u8);
            WriteField(_fields[i], in hit, stored);
            _target.Write(i + 1 < _fields.Count ? ","u8 : ""u8);
        }

    }

    private static void WriteOnlyMetadata(IBufferWriter<byte> target, in QueryHit hit)
    {
        // The writer of metadata writes a property; only its value is needed here.
        var result = new ArrayBufferWriter<byte>(256);
        var json = new JsonOutput(result);
        json.StartObject();
        WriteMetadata(ref json, in hit);
        json.EndObject();
        json.Flush();
        target.Write(result.WrittenSpan["{\"@metadata\":".Length..^1]);
    }

    private ProjectedField FieldOf(QueryInput input, RqlNamed item)
    {
        RqlQuery rql = input.Rql;
        if (item.Expression is RqlCall { Arguments.Count: 1 or 2 } call
            && call.Name.ToLowerInvariant() is "counter" or "counterraw")
        {
            return CounterOf(input, call, item.Alias);
        }

        if (SeriesProjection.TryMake(_loaded.Session, _loaded, item.Expression) is { } series)
        {
            string function = item.Expression is RqlCall declared ? declared.Name : RqlTimeSeriesParser.Function;
            return new ProjectedField(item.Alias ?? function, function, new FieldPath(function), -1)
            {
                Series = series,
            };
        }

        if (item.Expression is RqlLiteral { Value: null })
        {
            // Clients write this for a field whose name they do not know.
            return new ProjectedField(item.Alias ?? "null", "null", new FieldPath("null"), -1) { IsNull = true };
        }

        string path = IndexFieldNames.PathOf(item.Expression, rql) ?? KeyOf(input, item.Expression);
        bool isResult = item.Expression is RqlField { Path: var whole } && whole == rql.Alias;
        string left = isResult ? "" : path;
        int loaded = isResult ? -1 : _loaded.TakeAlias(ref left);
        string name = item.Alias
            ?? (left.Length == 0 ? path.Replace("[]", "", StringComparison.Ordinal)
            : left == IndexFieldNames.Id ? "Id" : left);
        return new ProjectedField(name, left, new FieldPath(left), loaded);
    }

    private ProjectedField CounterOf(QueryInput input, RqlCall call, string? alias)
    {
        string counter = _translator.Evaluate(call.Arguments[^1]) as string ?? throw new RqlException(
            input.Text, call.Position,
            $"expected {call.Name}(name) or {call.Name}(alias, name), the name being a text");
        return new ProjectedField(alias ?? counter, counter, new FieldPath(counter), -1)
        {
            Counter = counter,
            IsRawCounter = call.Name.Equals("counterRaw", StringComparison.OrdinalIgnoreCase),
        };
    }

    /// <summary><c>key()</c> of a query that groups by one field.</summary>
    private static string KeyOf(QueryInput input, RqlExpression expression) =>
        expression is RqlCall { Name: "key", Arguments.Count: 0 }
            && input.Rql.GroupBy is [var key]
            && (key is RqlCall { Arguments: [var inner] } ? inner : key) is RqlField field
            ? IndexFieldNames.WithoutAlias(field.Path, input.Rql.Alias)
            : throw new RqlException(
                input.Text, expression.Position,
                input.Rql.GroupBy.Count == 0
                    ? IsOfGroups(expression)
                        ? "expected a field to project; key(), count() and sum(field) are of groups: "
                            + "\"from Orders group by Company select key(), count()\""
                        : "expected a field to project; what is worked out goes into an object: select { ... }"
                    : "expected a key, key(), count() or sum(field): what else is worked out of groups (avg, min, max) "
                        + "is a map-reduce index that you define");

    /// <summary>Whether it is a function of groups, here or in SQL.</summary>
    private static bool IsOfGroups(RqlExpression expression) => expression is RqlCall call
        && call.Name.ToLowerInvariant() is "key" or "count" or "sum" or "avg" or "average" or "min" or "max";

    private void WriteCounter(string name, bool isRaw, in QueryHit hit)
    {
        var json = new JsonOutput(_target);
        if (!hit.HasDocument || !CounterValues.TryGet(
            hit.Document.Snapshot, hit.Document.Id.Span, name, out StoredCounter counter))
        {
            json.Null();
        }
        else if (isRaw)
        {
            json.StartObject();
            json.Name(CounterValues.DatabaseOf(counter.ChangeVector.Span));
            json.Number(counter.Value);
            json.EndObject();
        }
        else
        {
            json.Number(counter.Value);
        }

        json.Flush();
    }

    private void WriteSeries(SeriesProjection series, in QueryHit hit)
    {
        _ = hit.TryGetData(_context, out BlittableObject data);
        series.WriteMembers(_target, in hit, data);
    }

    private void WriteField(ProjectedField field, in QueryHit hit, JsonDocument? stored)
    {
        if (field.Series is { } series)
        {
            _target.Write("{"u8);
            WriteSeries(series, in hit);
            _target.Write("}"u8);
            return;
        }

        if (field.Counter is { } counter)
        {
            WriteCounter(counter, field.IsRawCounter, in hit);
            return;
        }

        if (field.Loaded < 0 && field.Path == IndexFieldNames.Id && hit.HasDocument)
        {
            var id = new JsonOutput(_target);
            id.String(hit.Document.Id.Span);
            id.Flush();
            return;
        }

        if (field.IsNull)
        {
            _target.Write("null"u8);
            return;
        }

        if (field.Path.Length == 0)
        {
            WriteDocuments(field, in hit);
            return;
        }

        if (field.Loaded < 0 && stored is not null && stored.RootElement.TryGetProperty(
            field.Path, out JsonElement value))
        {
            _target.Write(System.Text.Encoding.UTF8.GetBytes(value.GetRawText()));
            return;
        }

        _values.Clear();
        bool isMany = false;
        if (field.Loaded >= 0 && hit.TryGetData(_context, out BlittableObject result))
        {
            isMany = _loaded.IsManyAt(field.Loaded);
            foreach (StoredDocument document in _loaded.Load(field.Loaded, result))
            {
                isMany |= field.Reader.Collect(DataOf(field, in document), _values);
            }
        }
        else if (hit.HasDocument && _usesDocument)
        {
            StoredDocument document = hit.Document;
            isMany = field.Reader.Collect(DataOf(field, in document), _values);
        }

        if (_values.Count == 0 && _mustBeThere)
        {
            throw new RefusedException(
                RefusalReason.InvalidQuery, $"The field '{field.Path}' is not where the projection looks for it.");
        }

        WriteValues(isMany);
    }

    private BlittableValue DataOf(ProjectedField field, in StoredDocument document) => field.IsOfMetadata
        ? WholeMetadata.Of(in document, _context)
        : document.Data.AsValue();

    /// <summary>Writes the result itself, or a loaded document: whole, as without a projection.</summary>
    private void WriteDocuments(ProjectedField field, in QueryHit hit)
    {
        var json = new JsonOutput(_target);
        if (field.Loaded >= 0)
        {
            List<StoredDocument> documents = hit.TryGetData(_context, out BlittableObject result)
                ? _loaded.Load(field.Loaded, result)
                : [];
            WriteLoaded(ref json, documents, _loaded.IsManyAt(field.Loaded));
        }
        else if (hit.HasDocument)
        {
            StoredDocument document = hit.Document;
            DocumentJson.Write(ref json, in document, isMetadataOnly: false);
        }
        else if (hit.TryGetData(_context, out BlittableObject group))
        {
            json.Value(group.AsValue());
        }
        else
        {
            json.Null();
        }

        json.Flush();
    }

    private static void WriteLoaded(ref JsonOutput json, List<StoredDocument> documents, bool isMany)
    {
        if (!isMany && documents.Count == 0)
        {
            json.Null();
            return;
        }

        if (isMany)
        {
            json.StartArray();
        }

        foreach (StoredDocument document in isMany ? documents : documents.Take(1))
        {
            DocumentJson.Write(ref json, in document, isMetadataOnly: false);
        }

        if (isMany)
        {
            json.EndArray();
        }
    }

    private void WriteValues(bool isMany)
    {
        var json = new JsonOutput(_target);
        if (isMany)
        {
            json.StartArray();
            foreach (BlittableValue value in _values)
            {
                json.Value(value);
            }

            json.EndArray();
        }
        else if (_values.Count == 0)
        {
            json.Null();
        }
        else
        {
            json.Value(_values[0]);
        }

        json.Flush();
    }
}
