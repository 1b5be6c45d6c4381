using System.Text.Json;
using Raven.Documents.Smuggler;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Backups;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Smuggler;

namespace Raven.Server.Handlers;

/// <summary>The route that reads a dump which lies on the server's machine.</summary>
internal static class FileImportHandler
{
    private const string FetchSite = "Sec-Fetch-Site";

    [Route("GET", "/databases/*/admin/smuggler/import", Access.Operator, Place = Place.Primary,
        IsStream = true, Audit = "data.imported", Query = "file, url, operationId:int",
        Summary = "Reads a dump, a file below Backup.LocalRootPath, into a database")]
    internal static async ValueTask GetAsync(RequestContext request)
    {
        // It is a GET that changes something: no link of another page leads here.
        string site = request.Headers[FetchSite].ToString();
        if (site.Length > 0 && site is not ("none" or "same-origin"))
        {
            throw new BadRequestException(
                403, ErrorType.Authorization, "A page of another origin has led here: nothing is imported.");
        }

        if (request.Query.GetText("url") is not null)
        {
            throw new BadRequestException(
                501, ErrorType.NotSupported,
                "url is not served by this server: it fetches nothing for its callers. Send the dump as a body.");
        }

        string? file = request.Query.GetText("file");
        request.Announce(resource: file);
        string path = BackupPlace.FindFile(request.Server, file);
        SmugglerRun run = SmugglerRun.Begin(request);
        await run.RunAsync(async stop =>
        {
            run.LiftLimits();
            FileStream opened = Open(path);
            await using (opened.ConfigureAwait(false))
            {
                UploadedFile dump = await UploadedFile.BeginAsync(
                    new FileBytes(opened), request.Server.Options.InflationRatioMax, stop).ConfigureAwait(false);
                await using (dump.ConfigureAwait(false))
                {
                    var import = new DumpImport(
                        request.Database, request.Server.Queries, new DumpOptions(), run.Result, run.Operation)
                    {
                        IsAdministrator = run.IsAdministrator,
                        AttachmentSizeBytesMax = request.Server.Options.AttachmentSizeBytesMax,
                    };
                    await import.RunAsync(dump, stop).ConfigureAwait(false);
                }
            }
        }).ConfigureAwait(false);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        run.Result.Write(json);
        json.WriteEndObject();
    }

    private static FileStream Open(string path)
    {
        try
        {
            return new FileStream(
                path, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 0, FileOptions.SequentialScan);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new BadRequestException(400, ErrorType.Argument, $"The file '{path}' cannot be read: {e.Message}");
        }
    }
}
