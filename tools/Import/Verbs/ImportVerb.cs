using System.Threading.Channels;
using Raven.Tools.Import.Input;
using Raven.Tools.Import.Server;

namespace Raven.Tools.Import.Verbs;

/// <summary>Loads files into a database by bulk insert.</summary>
internal static class ImportVerb
{
    internal static async Task<int> RunAsync(
        ServerClient server, SourceSet sources, IdentityOptions identity, TextWriter output, bool isInteractive)
    {
        var progress = new Progress(output, isInteractive, sources.LengthBytes);
        (BulkInsert bulk, long operationId) = await server.BeginBulkInsertAsync();
        using BulkInsert closing = bulk;
        ImportFormatException? broken = null;
        try
        {
            broken = await progress.RunAsync("import", async () =>
            {
                ImportFormatException? error = Feed(bulk, sources, identity, progress);
                await bulk.CompleteAsync();
                return error;
            });
        }
        catch (Exception failure) when (failure is ServerException or HttpRequestException or IOException)
        {
            await ReportFailureAsync(server, operationId, failure, output);
            return ExitCode.ServerFailed;
        }

        if (broken is not null)
        {
            await output.WriteLineAsync(broken.Message);
            await output.WriteLineAsync($"{progress.Documents} documents before it are in.");
            return ExitCode.BrokenInput;
        }

        await output.WriteLineAsync(progress.Describe());
        if (sources.Repairs > 0)
        {
            await output.WriteLineAsync($"{sources.Repairs} raw control characters were escaped.");
        }

        return ExitCode.Success;
    }

    /// <summary>Writes all documents up to the end or to the first broken one, which it gives back.</summary>
    private static ImportFormatException? Feed(
        BulkInsert bulk, SourceSet sources, IdentityOptions options, Progress progress)
    {
        var envelope = new DocumentEnvelope(options);
        long count = 0;
        try
        {
            while (!bulk.IsBroken && sources.TryRead(out ReadOnlyMemory<byte> document))
            {
                if (!envelope.TryIdentify(document.Span, out DocumentEnvelope.Identity identity, out string reason))
                {
                    return sources.Error(reason);
                }

                envelope.WriteCommand(bulk.BeginCommand(), document.Span, identity);
                progress.Report(++count, sources.RawBytesRead, sources.TextBytesRead);
            }
        }
        catch (ImportFormatException broken)
        {
            return broken;
        }
        catch (ChannelClosedException)
        {
            // The connection broke; the answer that is awaited next says how.
        }

        return null;
    }

    private static async Task ReportFailureAsync(
        ServerClient server, long operationId, Exception failure, TextWriter output)
    {
        string reason = await server.GetFailureAsync(operationId) ?? failure.Message;
        await output.WriteLineAsync($"The import failed: {reason}");
        try
        {
            await output.WriteLineAsync($"The database now holds {await server.CountDocumentsAsync()} documents.");
        }
        catch (Exception gone) when (gone is ServerException or HttpRequestException)
        {
            await output.WriteLineAsync($"The server does not answer any more: {gone.Message}");
        }
    }
}
