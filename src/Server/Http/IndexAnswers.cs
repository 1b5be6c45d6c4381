using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Queries;

namespace Raven.Server.Http;

/// <summary>Shared code of answers about indexes.</summary>
internal static class IndexAnswers
{
    /// <summary>The indexes that a request asks for: one, or those of a page, in the order of their names.</summary>
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

    /// <summary>Finds an index; if there is none of the name, false, and that is the answer.</summary>
    /// <param name="request">The request.</param>
    /// <param name="name">The name.</param>
    /// <param name="index">The index.</param>
    /// <param name="status">The status if there is none: clients take a 404 for an empty answer, or
    /// for success.</param>
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
    /// Writes the indexes of a database's record: the definitions that users gave, and when each was given, without
    /// older definitions; and the automatic indexes.
    /// </summary>
    internal static void WriteRecord(Utf8JsonWriter json, IReadOnlyCollection<DatabaseIndex> all)
    {
        DatabaseIndex[] given = [.. all.Where(index =>
                !index.Definition.IsAuto && !IndexInspection.IsReplacement(index))
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
            json.WriteTime("CreatedAt"u8, IndexInspection.CreationOf(index));
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

    /// <summary>Answers that there is no such index.</summary>
    internal static void Missing(RequestContext request, string name, int status = 400) =>
        ErrorResponse.Write(request, status, ErrorType.IndexMissing, $"There is no index '{name}'.");
}
