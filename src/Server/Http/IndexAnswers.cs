using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using Raven.Server.Indexing;
using Raven.Server.Indexing.Definitions;
using Raven.Server.Indexing.Storage;

namespace Raven.Server.Http;

/// <summary>What answers about indexes have in common.</summary>
internal static class IndexAnswers
{
    /// <summary>The indexes that are asked for: one, or those of a page, in the order of their names.</summary>
    internal static IEnumerable<DatabaseIndex> Wanted(RequestContext request, string? name)
    {
        DatabaseIndexes indexes = request.Database.Indexes;
        return name is not null
            ? indexes.Find(name) is { } one ? [one] : []
            : indexes.All.OrderBy(index => index.Name, StringComparer.OrdinalIgnoreCase)
                .Skip(request.Query.GetInt32("start", 0)).Take(request.Query.GetInt32("pageSize", int.MaxValue));
    }

    /// <summary>The index that a url names.</summary>
    /// <exception cref="BadRequestException">It names none.</exception>
    internal static string RequiredName(RequestContext request) => request.Query.GetText("name")
        ?? throw new BadRequestException(400, ErrorType.Argument, "The parameter 'name' is missing.");

    /// <summary>Finds an index; where there is none of the name, false, and that is the answer.</summary>
    /// <param name="request">The request.</param>
    /// <param name="name">The name.</param>
    /// <param name="index">The index.</param>
    /// <param name="status">The status where there is none: of a 404 clients make an empty answer, or success.</param>
    internal static bool TryFind(
        RequestContext request, string name, [NotNullWhen(true)] out DatabaseIndex? index, int status = 400)
    {
        index = request.Database.Indexes.Find(name);
        if (index is null)
        {
            Missing(request, name, status);
        }

        return index is not null;
    }

    /// <summary>
    /// Writes what the record of a database says of its indexes: the definitions that users gave, and when each was
    /// given, of which older ones are not kept; and the indexes that queries made.
    /// </summary>
    internal static void WriteRecord(Utf8JsonWriter json, IReadOnlyCollection<DatabaseIndex> all)
    {
        DatabaseIndex[] given = [.. all.Where(index => !index.Definition.IsAuto
            && !index.Name.StartsWith(IndexRecord.ReplacementPrefix, StringComparison.OrdinalIgnoreCase))
            .OrderBy(index => index.Name, StringComparer.OrdinalIgnoreCase)];
        json.WriteStartObject("Indexes"u8);
        foreach (DatabaseIndex index in given)
        {
            json.WritePropertyName(index.Name);
            IndexDefinitionJson.WriteAnswer(json, index.Definition with { State = index.State });
        }

        json.WriteEndObject();
        json.WriteStartObject("IndexesHistory"u8);
        foreach (DatabaseIndex index in given)
        {
            json.WriteStartArray(index.Name);
            json.WriteStartObject();
            json.WritePropertyName("Definition"u8);
            IndexDefinitionJson.WriteAnswer(json, index.Definition with { State = index.State });
            json.WriteString("Source"u8, index.Definition.SourceType);
            json.WriteTime("CreatedAt"u8, index.Record.CreatedAt);
            json.WriteStartObject("RollingDeployment"u8);
            json.WriteEndObject();
            json.WriteEndObject();
            json.WriteEndArray();
        }

        json.WriteEndObject();
        json.WriteStartObject("AutoIndexes"u8);
        foreach (DatabaseIndex index in all.Where(index => index.Definition.IsAuto)
            .OrderBy(index => index.Name, StringComparer.OrdinalIgnoreCase))
        {
            json.WritePropertyName(index.Name);
            AutoIndexJson.Write(json, index.Definition, index.State);
        }

        json.WriteEndObject();
    }

    /// <summary>There is no such index.</summary>
    internal static void Missing(RequestContext request, string name, int status = 400) =>
        ErrorResponse.Write(request, status, ErrorType.IndexMissing, $"There is no index '{name}'.");
}
