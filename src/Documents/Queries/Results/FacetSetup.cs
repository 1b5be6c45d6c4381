using System.Globalization;
using System.Text;
using System.Text.Json;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Documents.Queries.Rql;
using Raven.Documents.Settings;

namespace Raven.Documents.Queries.Results;

/// <summary>
/// Facets that a document describes: <c>select facet(id('setups/1'))</c> is replaced by the facets of the document
/// before the query is planned.
/// </summary>
public static class FacetSetup
{
    private const string OptionsPrefix = "__facet";

    /// <summary>Whether a query names documents that describe facets.</summary>
    public static bool IsOne(QueryInput input) => input.Rql.Select.Exists(item => DocumentOf(item) is not null);

    /// <summary>The query with the facets of documents in their place.</summary>
    /// <param name="database">Where the documents are.</param>
    /// <param name="context">Memory that lives as long as the query.</param>
    /// <param name="input">The query.</param>
    /// <exception cref="RqlException">There is no such document, or it describes no facets.</exception>
    public static QueryInput Expand(Database database, OperationContext context, QueryInput input)
    {
        Dictionary<string, object?> parameters = new(input.Parameters, StringComparer.Ordinal);
        List<RqlNamed> select = [];
        using DocumentSnapshot snapshot = database.BeginRead("facets of a query");
        foreach (RqlNamed item in input.Rql.Select)
        {
            if (DocumentOf(item) is { } id)
            {
                select.AddRange(Read(context, snapshot, input, id, parameters));
            }
            else
            {
                select.Add(item);
            }
        }

        // The parsed query is shared: this one needs a copy.
        RqlQuery rql = RqlParser.Parse(input.Text);
        rql.Select.Clear();
        rql.Select.AddRange(select);
        return input with { Rql = rql, Parameters = parameters };
    }

    /// <summary>The expression with the id of the document; null for another item.</summary>
    private static RqlExpression? DocumentOf(RqlNamed item) => item.Expression is RqlCall { Arguments: [var only] } call
        && call.Name.Equals("facet", StringComparison.OrdinalIgnoreCase)
        && only is RqlCall { Arguments: [var id] } inner && inner.Name.Equals("id", StringComparison.OrdinalIgnoreCase)
            ? id
            : null;

    private static List<RqlNamed> Read(
        OperationContext context, DocumentSnapshot snapshot, QueryInput input, RqlExpression place,
        Dictionary<string, object?> parameters)
    {
        string? id = place is RqlLiteral literal ? literal.Value as string
            : place is RqlParameter parameter ? input.Parameters.GetValueOrDefault(parameter.Name) as string
            : null;
        if (id is null || !snapshot.TryGet(Encoding.UTF8.GetBytes(id), out StoredDocument stored))
        {
            throw new RqlException(input.Text, place.Position, $"there is no document '{id}' of facets");
        }

        var buffer = new System.Buffers.ArrayBufferWriter<byte>();
        BlittableToJson.Write(stored.Data, buffer);
        using JsonDocument setup = StoredJson.Parse(buffer.WrittenMemory);
        List<string> items = [];
        foreach (JsonElement facet in Items(setup.RootElement, "Facets"))
        {
            bool hasOptions = facet.TryGetProperty("Options", out JsonElement given)
                && given.ValueKind == JsonValueKind.Object;
            string options = hasOptions ? ", $" + Keep(context, given, parameters) : "";
            items.Add($"facet('{TextOf(facet, "FieldName")}'{AggregationsOf(facet)}{options}){AliasOf(facet)}");
        }

        foreach (JsonElement facet in Items(setup.RootElement, "RangeFacets"))
        {
            IEnumerable<string> ranges = Items(facet, "Ranges").Select(range => range.ToString());
            items.Add($"facet({string.Join(", ", ranges)}{AggregationsOf(facet)}){AliasOf(facet)}");
        }

        try
        {
            return items.Count == 0
                ? throw new RqlException(input.Text, place.Position, $"the document '{id}' describes no facets")
                : RqlParser.Parse("from X select " + string.Join(", ", items)).Select;
        }
        catch (RqlException wrong)
        {
            throw new RqlException(input.Text, place.Position, $"the facets of '{id}': {wrong.Message}");
        }
    }

    private static string Keep(OperationContext context, JsonElement options, Dictionary<string, object?> parameters)
    {
        string name = string.Create(CultureInfo.InvariantCulture, $"{OptionsPrefix}{parameters.Count}");
        parameters[name] = context.Parser.TryParse(
            Encoding.UTF8.GetBytes(options.GetRawText()), BlittableMode.ToMemory, out BlittableObject kept, out _)
            ? kept.AsValue()
            : null;
        return name;
    }

    /// <summary>The aggregations: <c>{"Sum":["Price", {"Name":"Count"}]}</c>, or one text.</summary>
    private static string AggregationsOf(JsonElement facet)
    {
        if (!facet.TryGetProperty("Aggregations", out JsonElement all) || all.ValueKind != JsonValueKind.Object)
        {
            return "";
        }

        var text = new StringBuilder();
        foreach (JsonProperty function in all.EnumerateObject())
        {
            string name = function.Name.Equals("Average", StringComparison.OrdinalIgnoreCase) ? "avg"
                : function.Name.ToLowerInvariant();
            foreach (JsonElement field in function.Value.ValueKind == JsonValueKind.Array
                ? function.Value.EnumerateArray()
                : Enumerable.Repeat(function.Value, 1))
            {
                string path = field.ValueKind == JsonValueKind.Object ? TextOf(field, "Name") : field.ToString();
                text.Append(", ").Append(name).Append("('").Append(path).Append("')");
                if (field.ValueKind == JsonValueKind.Object && TextOf(field, "DisplayName") is { Length: > 0 } called)
                {
                    text.Append(" as '").Append(called).Append('\'');
                }
            }
        }

        return text.ToString();
    }

    private static JsonElement.ArrayEnumerator Items(JsonElement owner, string name) =>
        owner.TryGetProperty(name, out JsonElement list) && list.ValueKind == JsonValueKind.Array
            ? list.EnumerateArray()
            : default;

    private static string AliasOf(JsonElement facet) =>
        TextOf(facet, "DisplayFieldName") is { Length: > 0 } alias ? $" as '{alias}'" : "";

    private static string TextOf(JsonElement owner, string name) =>
        owner.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.String
            ? value.GetString()!
            : "";
}
