using System.Text.Json;
using Raven.Documents.Catalog;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Extensions;
using Raven.Documents.Settings;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes of analyzers and sorters in C#, of a database and of the server for all databases.</summary>
internal static class ExtensionsHandler
{
    [Route("GET", "/databases/*/admin/analyzers", Access.DatabaseAdmin, Place = Place.Any,
        Summary = "The analyzers that a database was given")]
    internal static ValueTask GetAnalyzersAsync(RequestContext request) => Write(
        request, "Analyzers", request.Database.Indexes.Extensions.All(ExtensionKind.Analyzer));

    [Route("GET", "/databases/*/admin/sorters", Access.DatabaseAdmin, Place = Place.Any,
        Summary = "The sorters that a database was given")]
    internal static ValueTask GetSortersAsync(RequestContext request) => Write(
        request, "Sorters", request.Database.Indexes.Extensions.All(ExtensionKind.Sorter));

    [Route("GET", "/admin/analyzers", Access.Operator, Place = Place.Node,
        Summary = "The analyzers that all databases have")]
    internal static ValueTask GetServerAnalyzersAsync(RequestContext request) => Write(
        request, "Analyzers", request.Server.Databases.Indexing!.Extensions.All(ExtensionKind.Analyzer));

    [Route("GET", "/admin/sorters", Access.Operator, Place = Place.Node,
        Summary = "The sorters that all databases have")]
    internal static ValueTask GetServerSortersAsync(RequestContext request) => Write(
        request, "Sorters", request.Server.Databases.Indexing!.Extensions.All(ExtensionKind.Sorter));

    [Route("PUT", "/databases/*/admin/analyzers", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "analyzer.put", Summary = "Gives a database analyzers in C#")]
    internal static ValueTask PutAnalyzersAsync(RequestContext request) =>
        PutAsync(request, "Analyzers", ExtensionKind.Analyzer);

    [Route("PUT", "/databases/*/admin/sorters", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "sorter.put", Summary = "Gives a database sorters in C#")]
    internal static ValueTask PutSortersAsync(RequestContext request) =>
        PutAsync(request, "Sorters", ExtensionKind.Sorter);

    [Route("PUT", "/admin/analyzers", Access.Operator, Place = Place.Node,
        Audit = "analyzer.put", Summary = "Gives all databases analyzers in C#")]
    internal static ValueTask PutServerAnalyzersAsync(RequestContext request) =>
        PutOfServerAsync(request, "Analyzers", ExtensionKind.Analyzer);

    [Route("PUT", "/admin/sorters", Access.Operator, Place = Place.Node,
        Audit = "sorter.put", Summary = "Gives all databases sorters in C#")]
    internal static ValueTask PutServerSortersAsync(RequestContext request) =>
        PutOfServerAsync(request, "Sorters", ExtensionKind.Sorter);

    [Route("DELETE", "/databases/*/admin/analyzers", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "analyzer.deleted",
        Summary = "Deletes an analyzer that no index of the database uses", Query = "name!")]
    internal static ValueTask DeleteAnalyzerAsync(RequestContext request) =>
        DeleteAsync(request, ExtensionKind.Analyzer);

    [Route("DELETE", "/databases/*/admin/sorters", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "sorter.deleted", Summary = "Deletes a sorter", Query = "name!")]
    internal static ValueTask DeleteSorterAsync(RequestContext request) => DeleteAsync(request, ExtensionKind.Sorter);

    [Route("DELETE", "/admin/analyzers", Access.Operator, Place = Place.Node,
        Audit = "analyzer.deleted", Summary = "Deletes an analyzer of all databases", Query = "name!")]
    internal static ValueTask DeleteServerAnalyzerAsync(RequestContext request) =>
        DeleteOfServer(request, ExtensionKind.Analyzer);

    [Route("DELETE", "/admin/sorters", Access.Operator, Place = Place.Node,
        Audit = "sorter.deleted", Summary = "Deletes a sorter of all databases", Query = "name!")]
    internal static ValueTask DeleteServerSorterAsync(RequestContext request) =>
        DeleteOfServer(request, ExtensionKind.Sorter);

    private static async ValueTask PutAsync(RequestContext request, string name, ExtensionKind kind)
    {
        List<ExtensionSource> sources = await ReadAsync(request, name, kind).ConfigureAwait(false);
        await ExtensionChanges.PutAsync(request.Database.Indexes, sources).ConfigureAwait(false);
        request.Response.Status = 204;
    }

    private static async ValueTask PutOfServerAsync(RequestContext request, string name, ExtensionKind kind)
    {
        List<ExtensionSource> sources = await ReadAsync(request, name, kind).ConfigureAwait(false);
        await ExtensionChanges.PutAsync(request.Server.Databases, sources).ConfigureAwait(false);
        request.Response.Status = 204;
    }

    private static async ValueTask DeleteAsync(RequestContext request, ExtensionKind kind)
    {
        string name = IndexAnswers.RequiredName(request);
        request.Announce(resource: name);
        await ExtensionChanges.DeleteAsync(request.Database.Indexes, kind, name).ConfigureAwait(false);
        request.Response.Status = 204;
    }

    private static ValueTask DeleteOfServer(RequestContext request, ExtensionKind kind)
    {
        string name = IndexAnswers.RequiredName(request);
        request.Announce(resource: name);
        ExtensionChanges.Delete(request.Server.Databases, kind, name);
        request.Response.Status = 204;
        return ValueTask.CompletedTask;
    }

    private static async ValueTask<List<ExtensionSource>> ReadAsync(
        RequestContext request, string name, ExtensionKind kind)
    {
        byte[] body = await JsonBody.ReadAsync(request).ConfigureAwait(false);
        using JsonDocument json = StoredJson.Parse(body);
        if (!json.RootElement.TryGetProperty(name, out JsonElement list) || list.ValueKind != JsonValueKind.Array)
        {
            throw new BadRequestException(400, ErrorType.Argument, $"The body must have {name}, a list.");
        }

        List<ExtensionSource> sources = [.. list.EnumerateArray().Select(item => new ExtensionSource(
            kind, TextOf(item, name, "Name"), TextOf(item, name, "Code")))];
        sources.ForEach(source => request.Announce(resource: source.Name));
        return sources;
    }

    private static string TextOf(JsonElement item, string list, string name) =>
        item.ValueKind == JsonValueKind.Object && item.TryGetProperty(name, out JsonElement value)
            && value.ValueKind == JsonValueKind.String && value.GetString() is { Length: > 0 } text
            ? text
            : throw new BadRequestException(400, ErrorType.Argument, $"{list}: each needs {name}, a text.");

    private static ValueTask Write(RequestContext request, string name, List<ExtensionSource> sources)
    {
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray(name);
        sources.ForEach(source => ExtensionJson.WriteSource(json, source));
        json.WriteEndArray();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }
}
