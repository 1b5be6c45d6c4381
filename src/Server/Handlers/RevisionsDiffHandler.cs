using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Documents;
using Raven.Documents.Revisions;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The route of the difference between two versions of a document.</summary>
internal static class RevisionsDiffHandler
{
    [Route("GET", "/databases/*/revisions/diff", Access.Read, Place = Place.Any,
        Summary = "What has changed from one version to another, as a JSON Patch", Query = "from!, to!")]
    internal static ValueTask GetAsync(RequestContext request)
    {
        NativeSlice from = request.RequiredUtf8("from");
        NativeSlice to = request.RequiredUtf8("to");
        using DocumentSnapshot snapshot = request.BeginRead();
        var reader = new RevisionReader(snapshot);
        if (!TryFind(request, reader, from, "from", out StoredDocument old)
            || !TryFind(request, reader, to, "to", out StoredDocument changed))
        {
            return ValueTask.CompletedTask;
        }

        request.Response.Headers.ContentType = ContentType.Json;
        var json = new JsonOutput(request.Response);
        json.StartObject();
        json.Name("Id"u8);
        json.String(old.Id.Span);
        json.Name("From"u8);
        json.String(from.Span);
        json.Name("To"u8);
        json.String(to.Span);
        json.Name("Patch"u8);
        DocumentDiff.Write(ref json, old.Data, changed.Data);
        json.EndObject();
        json.Flush();
        return ValueTask.CompletedTask;
    }

    private static bool TryFind(
        RequestContext request, RevisionReader reader, NativeSlice vector, string name, out StoredDocument revision)
    {
        bool isFound = reader.TryGet(vector.Span, out revision);
        if (!isFound)
        {
            ErrorResponse.Write(
                request, 404, ErrorType.DocumentMissing, $"There is no revision of the change vector in '{name}'.");
        }

        return isFound;
    }
}
