using System.Text.Json;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Primitives;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Documents.Operations;
using Raven.Documents.Smuggler;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Multipart;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Smuggler;

namespace Raven.Server.Handlers;

/// <summary>The routes that write a database as a dump, and read a dump into a database.</summary>
internal static class SmugglerHandler
{
    /// <summary>The part of an upload that says what is taken.</summary>
    private const string OptionsPart = "importOptions";

    private const int OptionsSizeBytesMax = 1024 * 1024;

    private static readonly StringValues Saved = "attachment; filename=\"export.ravendbdump\"";

    [Route("POST", "/databases/*/smuggler/export", Access.Read, Place = Place.Primary,
        IsStream = true, Audit = "data.exported", Summary = "Writes a database as a dump", Query = "operationId:int")]
    internal static async ValueTask ExportAsync(RequestContext request)
    {
        bool hasBody = request.Features.Get<IHttpRequestBodyDetectionFeature>()?.CanHaveBody != false
            && request.Headers.ContentLength != 0;
        await WriteDumpAsync(request, hasBody
            ? DumpOptions.Parse(
                await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false))
            : new DumpOptions(), isSaved: false).ConfigureAwait(false);
    }

    [Route("GET", "/databases/*/smuggler/export", Access.Read, Place = Place.Primary,
        IsStream = true, Audit = "data.exported",
        Summary = "Writes a database as a dump for a link, which a browser saves as it comes",
        Query = "operationId:int, options")]
    internal static ValueTask ExportByLinkAsync(RequestContext request)
    {
        DumpOptions options = new();
        if (request.QueryUtf8("options") is { IsEmpty: false } json)
        {
            options = request.Operation.Parser.TryParse(
                json.Span, BlittableMode.ToMemory, out BlittableObject read, out JsonError error)
                ? DumpOptions.Parse(read)
                : throw new BadRequestException(
                    400, ErrorType.InvalidJson, $"The options are no JSON object: {error}");
        }

        return WriteDumpAsync(request, options, isSaved: true);
    }

    [Route("POST", "/databases/*/smuggler/import", Access.ReadWrite, Place = Place.Primary,
        IsStream = true, Audit = "data.imported", Summary = "Reads a dump into a database",
        Query = "operationId:int")]
    internal static async ValueTask ImportAsync(RequestContext request)
    {
        SmugglerRun run = SmugglerRun.Begin(request);
        await run.RunAsync(stop =>
        {
            run.LiftLimits();
            BodySource body = request.BeginBody(long.MaxValue);
            DumpOptions options = new();
            return ReadFileAsync(
                request, body, json => options = DumpOptions.Parse(json),
                file =>
                {
                    request.Announce(detail: DetailOf(options));
                    var import = new DumpImport(
                        request.Database, request.Server.Queries, options, run.Result, run.Operation)
                    {
                        IsAdministrator = run.IsAdministrator,
                        AttachmentSizeBytesMax = request.Server.Options.AttachmentSizeBytesMax,
                    };
                    return import.RunAsync(file, stop);
                },
                stop);
        }).ConfigureAwait(false);
        WriteResult(request, run);
    }

    [Route("POST", "/databases/*/smuggler/import/csv", Access.ReadWrite, Place = Place.Primary,
        IsStream = true, Audit = "data.imported", Summary = "Reads the rows of a CSV file into a database",
        Query = "operationId:int, collection")]
    internal static async ValueTask ImportCsvAsync(RequestContext request)
    {
        string? collection = request.Query.GetText("collection");
        SmugglerRun run = SmugglerRun.Begin(request);
        await run.RunAsync(stop =>
        {
            run.LiftLimits();
            BodySource body = request.BeginBody(long.MaxValue);
            CsvOptions options = new();
            return ReadFileAsync(
                request, body,
                json => options = CsvOptions.Parse(json),
                file =>
                {
                    request.Announce(detail: [new("format", "CSV"), new("collection", collection ?? "")]);
                    var import = new CsvImport(
                        request.Database, request.Server.Queries, options, run.Result, run.Operation)
                    {
                        Collection = collection,
                    };
                    return import.RunAsync(file, stop);
                },
                stop);
        }).ConfigureAwait(false);
        WriteResult(request, run);
    }

    [Route("POST", "/databases/*/smuggler/validate-options", Access.Read, Place = Place.Any,
        Summary = "Checks the options of an export or import")]
    internal static async ValueTask ValidateAsync(RequestContext request)
    {
        BlittableObject body = await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        DumpOptions.Parse(body).CheckScript(request.Server.Queries);
        request.Response.Status = 204;
    }

    /// <summary>Writes a dump as the answer of a request, which a browser saves if it is told so.</summary>
    private static async ValueTask WriteDumpAsync(RequestContext request, DumpOptions options, bool isSaved)
    {
        options.CheckScript(request.Server.Queries);
        SmugglerRun run = SmugglerRun.Begin(request);
        request.Announce(detail: DetailOf(options));
        await run.RunAsync(async stop =>
        {
            run.LiftLimits();
            request.Response.Headers.ContentType = "application/octet-stream";
            if (isSaved)
            {
                request.Response.Headers.ContentDisposition = Saved;
            }

            var answer = new AnswerStream(request);
            Stream packed = options.Compression == DumpCompression.Zstd
                ? Zstandard.Begin(answer)
                : new GzipMembers(answer);
            await using (packed.ConfigureAwait(false))
            {
                try
                {
                    var export = new DumpExport(
                        request.Database, request.Server.Queries, Allowed(options, run), run.Result, run.Operation);

                    // One thread reads and formats, others compress and send.
                    await StreamPipe.RunAsync(
                        (text, halt) => export.RunAsync(text, halt).AsTask(),
                        text => StreamPipe.CopyAsync(text, packed, stop),
                        stop).ConfigureAwait(false);
                }
                catch
                {
                    answer.IsBroken = true;
                    throw;
                }
            }
        }).ConfigureAwait(false);
    }

    private static void WriteResult(RequestContext request, SmugglerRun run)
    {
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        run.Result.Write(json);
        json.WriteEndObject();
    }

    /// <summary>Finds the file in a body: the body itself, or a part of it behind that with the options.</summary>
    private static async ValueTask ReadFileAsync(
        RequestContext request, BodySource body, Action<BlittableObject> takeOptions, Func<Stream, ValueTask> read,
        CancellationToken stop)
    {
        int ratioMax = request.Server.Options.InflationRatioMax;
        string type = request.Headers.ContentType.ToString();
        if (!MultipartReader.IsMultipart(type))
        {
            await ReadAsync(body).ConfigureAwait(false);
            return;
        }

        bool hasFile = false;
        using MultipartReader parts = MultipartReader.Begin(body, type, ratioMax);
        while (await parts.NextPartAsync(stop).ConfigureAwait(false))
        {
            if (hasFile)
            {
                throw new BadRequestException(
                    400, ErrorType.Argument, $"Part '{parts.Name}' follows the file, which must be the last one.");
            }

            if (parts.Name.EndsWith(OptionsPart, StringComparison.OrdinalIgnoreCase))
            {
                takeOptions(await ReadOptionsAsync(request, parts.Part, stop).ConfigureAwait(false));
            }
            else
            {
                hasFile = true;
                await ReadAsync(parts.Part).ConfigureAwait(false);
            }
        }

        if (!hasFile)
        {
            throw new BadRequestException(400, ErrorType.Argument, "The body has no file.");
        }

        async ValueTask ReadAsync(IBodyBytes bytes)
        {
            UploadedFile file = await UploadedFile.BeginAsync(bytes, ratioMax, stop).ConfigureAwait(false);
            await using (file.ConfigureAwait(false))
            {
                // One thread receives and inflates, another one reads the dump.
                await StreamPipe.RunAsync(
                    (inflated, halt) => StreamPipe.CopyAsync(file, inflated, halt),
                    inflated => read(inflated).AsTask(),
                    stop).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Reads options into the memory of the request.</summary>
    private static async ValueTask<BlittableObject> ReadOptionsAsync(
        RequestContext request, IBodyBytes part, CancellationToken stop)
    {
        JsonToBlittable parser = request.Operation.Parser;
        parser.Begin(BlittableMode.ToMemory);
        while (!part.Current.IsEmpty || await part.ReadAsync(stop).ConfigureAwait(false))
        {
            if (part.Position > OptionsSizeBytesMax)
            {
                throw new BadRequestException(
                    413, ErrorType.Argument, $"{OptionsPart} has more than {OptionsSizeBytesMax} bytes.");
            }

            if (parser.Feed(part.Current, out int consumed) == JsonParseStatus.Invalid)
            {
                throw Invalid(parser.Error);
            }

            part.Consume(consumed);
        }

        return parser.TryFinish(out BlittableObject options, out JsonError error) ? options : throw Invalid(error);
    }

    private static BadRequestException Invalid(JsonError error) =>
        new(400, ErrorType.InvalidJson, $"{OptionsPart} is not a JSON object: {error}");

    /// <summary>The options without what the caller may not read, which the result names.</summary>
    private static DumpOptions Allowed(DumpOptions options, SmugglerRun run)
    {
        DumpSections denied = run.IsAdministrator
            ? DumpSections.None
            : options.Sections & DumpSections.OfAdministrators;
        if (denied != DumpSections.None)
        {
            run.Result.Say($"{denied} left out: only an administrator of the database may export them.");
        }

        return options with { Sections = options.Sections & ~denied };
    }

    private static IReadOnlyList<KeyValuePair<string, string>> DetailOf(DumpOptions options) =>
    [
        new("types", options.Sections.ToString()),
        new("collections", options.Collections is null ? "all" : string.Join(", ", options.Collections)),
    ];
}
