using System.Text.Json;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Compilation;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Settings;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes that list, create, change and delete indexes.</summary>
internal static class IndexesHandler
{
    [Route("GET", "/databases/*/indexes", Access.Read, Place = Place.Any,
        Summary = "The definitions of indexes, or their names",
        Query = "name, namesOnly:bool, start:int, pageSize:int")]
    internal static ValueTask GetAsync(RequestContext request)
    {
        DatabaseIndexes indexes = request.Database.Indexes;
        string? name = request.Query.GetText("name");
        if (name is not null && !IndexAnswers.TryFind(request, name, out _, status: 404))
        {
            return ValueTask.CompletedTask;
        }

        bool isNamesOnly = request.Query.GetBool("namesOnly");
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        foreach (DatabaseIndex index in IndexAnswers.Wanted(request, name))
        {
            if (isNamesOnly)
            {
                json.WriteStringValue(index.Name);
            }
            else
            {
                IndexDefinitionJson.WriteAnswer(json, index.Definition with { State = index.State });
            }
        }

        json.WriteEndArray();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("PUT", "/databases/*/indexes", Access.ReadWrite, Place = Place.Primary,
        Audit = "index.put", Summary = "Makes or changes indexes in JavaScript")]
    internal static ValueTask PutAsync(RequestContext request) => PutAllAsync(request, isCSharpAllowed: false);

    [Route("PUT", "/databases/*/admin/indexes", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "index.put", Summary = "Makes or changes indexes")]
    internal static ValueTask PutAdminAsync(RequestContext request) => PutAllAsync(request, isCSharpAllowed: true);

    [Route("DELETE", "/databases/*/indexes", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "index.deleted", Summary = "Deletes an index", Query = "name!")]
    internal static async ValueTask DeleteAsync(RequestContext request)
    {
        string name = IndexAnswers.RequiredName(request);
        request.Announce(resource: name);
        await request.Database.Indexes.Changes.DeleteAsync(name).ConfigureAwait(false);
        request.Response.Status = 204;
    }

    [Route("RESET", "/databases/*/indexes", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "index.reset", Summary = "Throws away what an index holds, and indexes anew", Query = "name!")]
    internal static async ValueTask ResetAsync(RequestContext request)
    {
        string name = IndexAnswers.RequiredName(request);
        request.Announce(resource: name);
        if (await request.Database.Indexes.Changes.ResetAsync(name).ConfigureAwait(false))
        {
            request.Response.Status = 204;
        }
        else
        {
            IndexAnswers.Missing(request, name);
        }
    }

    [Route("POST", "/databases/*/indexes/has-changed", Access.Read, Place = Place.Any,
        Summary = "Whether a definition differs from the one in use")]
    internal static async ValueTask HasChangedAsync(RequestContext request)
    {
        IndexDefinition definition = IndexDefinitionJson.Parse(
            (await JsonBody.ReadAsync(request).ConfigureAwait(false)).AsSpan());
        DatabaseIndex? index = request.Database.Indexes.Find(definition.Name);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteBoolean("Changed"u8, index is null || !index.Definition.HasSameContent(definition));
        json.WriteEndObject();
    }

    [Route("POST", "/databases/*/indexes/set-lock", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "index.locked", Summary = "Says whether definitions may be changed")]
    internal static ValueTask SetLockAsync(RequestContext request) => SetAsync(
        request, "Mode", IndexLockMode.Unlock, (definition, mode) => definition with { LockMode = mode });

    [Route("POST", "/databases/*/indexes/set-priority", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "index.prioritized", IsAuditNote = true, Summary = "Says which indexes go first")]
    internal static ValueTask SetPriorityAsync(RequestContext request) => SetAsync(
        request, "Priority", IndexPriority.Normal, (definition, priority) => definition with { Priority = priority });

    [Route("POST", "/databases/*/admin/indexes/start", Access.DatabaseAdmin, Place = Place.Node,
        Audit = "index.started", IsAuditNote = true, Summary = "Ends a pause", Query = "name")]
    internal static ValueTask StartAsync(RequestContext request) => Pause(request, isPaused: false);

    [Route("POST", "/databases/*/admin/indexes/stop", Access.DatabaseAdmin, Place = Place.Node,
        Audit = "index.stopped", IsAuditNote = true,
        Summary = "Pauses one index, or all, until they are started or the database is opened again", Query = "name")]
    internal static ValueTask StopAsync(RequestContext request) => Pause(request, isPaused: true);

    [Route("POST", "/databases/*/admin/indexes/enable", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "index.enabled", IsAuditNote = true, Summary = "Enables an index", Query = "name!")]
    internal static ValueTask EnableAsync(RequestContext request) => SetStateAsync(request, IndexState.Normal);

    [Route("POST", "/databases/*/admin/indexes/disable", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "index.disabled", IsAuditNote = true,
        Summary = "Disables an index, also over restarts", Query = "name!")]
    internal static ValueTask DisableAsync(RequestContext request) => SetStateAsync(request, IndexState.Disabled);

    private static async ValueTask PutAllAsync(RequestContext request, bool isCSharpAllowed)
    {
        byte[] body = await JsonBody.ReadAsync(request).ConfigureAwait(false);
        List<IndexDefinition> definitions = Parse(body);
        if (!isCSharpAllowed && definitions.Find(IsCSharp) is { } refused)
        {
            throw new BadRequestException(
                403, ErrorType.Authorization,
                $"The index '{refused.Name}' is in C#, which is an administrator's: PUT "
                + "/databases/*/admin/indexes. Indexes in JavaScript are put here.");
        }

        if (request.Server.Options.RequiresAdminForJavaScriptIndexes
            || definitions.Exists(definition => definition.HasAdditionalSources))
        {
            request.Require(Access.DatabaseAdmin);
        }

        List<string> names = [];
        foreach (IndexDefinition definition in definitions)
        {
            CheckNames(definition);
        }

        definitions.ForEach(definition => request.Announce(
            resource: definition.Name,
            detail: DatabaseEvents.Of("language", IsCSharp(definition) ? "C#" : "JavaScript")));
        foreach (IndexDefinition definition in definitions)
        {
            await request.Database.Indexes.Changes.PutAsync(definition).ConfigureAwait(false);
            names.Add(definition.Name);
        }

        request.Response.Status = 201;
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        foreach (string name in names)
        {
            json.WriteStartObject();
            json.WriteString("Index"u8, name);
            json.WriteNumber("RaftCommandIndex"u8, request.Server.NextCommandIndex());
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    /// <summary>Checks that values that are stored only for clients are names that they know, since they read
    /// them again.</summary>
    private static void CheckNames(IndexDefinition definition)
    {
        foreach ((string field, IndexFieldOptions options) in definition.Fields)
        {
            CheckName(
                definition, $"TermVector of '{field}'", options.TermVector,
                "No", "Yes", "WithPositions", "WithOffsets", "WithPositionsAndOffsets");
        }

        CheckName(definition, "DeploymentMode", definition.DeploymentMode, "Parallel", "Rolling");
        CheckName(
            definition, "ArchivedDataProcessingBehavior", definition.ArchivedDataProcessingBehavior,
            "ExcludeArchived", "IncludeArchived", "ArchivedOnly");
    }

    private static void CheckName(IndexDefinition definition, string option, string? value, params string[] known)
    {
        if (value is not null && !known.Contains(value))
        {
            throw new BadRequestException(
                400, ErrorType.Argument,
                $"{option} of the index '{definition.Name}' must be one of {string.Join(", ", known)}.");
        }
    }

    private static bool IsCSharp(IndexDefinition definition) =>
        definition.Maps.Append(definition.Reduce)
            .Any(text => text is not null && !LanguageDetection.IsJavaScript(text));

    private static List<IndexDefinition> Parse(byte[] body)
    {
        try
        {
            using JsonDocument json = StoredJson.Parse(body);
            return json.RootElement.TryGetProperty("Indexes", out JsonElement list)
                && list.ValueKind == JsonValueKind.Array
                ? [.. list.EnumerateArray().Select(IndexDefinitionJson.Parse)]
                : throw new FormatException("The body must have Indexes, a list.");
        }
        catch (FormatException e)
        {
            throw new BadRequestException(400, ErrorType.Argument, e.Message);
        }
    }

    private static async ValueTask SetAsync<T>(
        RequestContext request, string field, T otherwise, Func<IndexDefinition, T, IndexDefinition> change)
        where T : struct, Enum
    {
        byte[] body = await JsonBody.ReadAsync(request).ConfigureAwait(false);
        using JsonDocument json = StoredJson.Parse(body);
        JsonElement root = json.RootElement;
        if (!root.TryGetProperty("IndexNames", out JsonElement names) || names.ValueKind != JsonValueKind.Array)
        {
            throw new BadRequestException(400, ErrorType.Argument, "The body must have IndexNames, a list.");
        }

        string? text = root.TryGetProperty(field, out JsonElement value) ? value.ToString() : otherwise.ToString();
        if (!Enum.TryParse(text, ignoreCase: true, out T wanted) || !Enum.IsDefined(wanted))
        {
            throw new BadRequestException(
                400, ErrorType.Argument, $"{field} must be one of {string.Join(", ", Enum.GetNames<T>())}.");
        }

        foreach (JsonElement name in names.EnumerateArray())
        {
            request.Announce(resource: name.ToString(), detail: DatabaseEvents.Of(field, wanted.ToString()));
        }

        foreach (JsonElement name in names.EnumerateArray())
        {
            if (!await request.Database.Indexes.Changes.UpdateAsync(
                name.ToString(), definition => change(definition, wanted)).ConfigureAwait(false))
            {
                throw new BadRequestException(400, ErrorType.IndexMissing, $"There is no index '{name}'.");
            }
        }

        request.Response.Status = 204;
    }

    private static async ValueTask SetStateAsync(RequestContext request, IndexState state)
    {
        string name = IndexAnswers.RequiredName(request);
        request.Announce(resource: name);
        if (!await request.Database.Indexes.Changes.UpdateAsync(
            name, definition => definition with { State = state }).ConfigureAwait(false))
        {
            IndexAnswers.Missing(request, name);
            return;
        }

        request.Response.Status = 204;
    }

    private static ValueTask Pause(RequestContext request, bool isPaused)
    {
        string? name = request.Query.GetText("name");
        DatabaseIndex? index = null;
        if (name is not null && !IndexAnswers.TryFind(request, name, out index))
        {
            return ValueTask.CompletedTask;
        }

        request.Announce(resource: name);
        if (index is null)
        {
            request.Database.Indexes.Pause.SetAll(isPaused);
        }
        else
        {
            request.Database.Indexes.Pause.Set(index, isPaused);
        }

        request.Response.Status = 204;
        return ValueTask.CompletedTask;
    }
}
