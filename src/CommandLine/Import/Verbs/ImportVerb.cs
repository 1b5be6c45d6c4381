using System.Threading.Channels;
using Raven.CommandLine.Import.Input;
using Raven.CommandLine.Import.Server;
using Raven.CommandLine.Output;

namespace Raven.CommandLine.Import.Verbs;

/// <summary>Loads files into a database by bulk insert.</summary>
internal static class ImportVerb
{
    internal static async Task<int> RunAsync(
        ServerClient server, SourceSet sources, IdentityOptions identity, VerbOutput output)
    {
        TextWriter lines = output.Lines;
        Progress progress = output.Begin(sources.LengthBytes);
        (BulkInsert bulk, long operationId) = await server.BeginBulkInsertAsync();
        using BulkInsert closing = bulk;
        ImportFormatException? broken = null;
        var envelope = new DocumentEnvelope(identity);
        try
        {
            broken = await progress.RunAsync("import", async () =>
            {
                ImportFormatException? error = Feed(bulk, sources, envelope, progress, lines);
                await bulk.CompleteAsync();
                return error;
            });
        }
        catch (Exception failure) when (failure is ServerException or HttpRequestException or IOException)
        {
            await ReportFailureAsync(server, operationId, failure, lines);
            return ExitCode.ServerFailed;
        }

        output.Set("Documents", progress.Documents);
        output.Set("Seconds", progress.Elapsed.TotalSeconds);
        if (broken is not null)
        {
            await lines.WriteLineAsync(broken.Message);
            await lines.WriteLineAsync($"{progress.Documents} documents before it are in.");
            return ExitCode.BrokenInput;
        }

        await lines.WriteLineAsync(progress.Describe());
        if (envelope.WithoutCollection > 0)
        {
            await lines.WriteLineAsync(
                $"{envelope.WithoutCollection} documents have no collection: they are in '@empty', where no query by "
                + "collection finds them. --collection NAME or --collection-property NAME gives them one.");
        }

        foreach (string warning in sources.Warnings)
        {
            await lines.WriteLineAsync(warning);
        }

        if (sources.Repairs > 0)
        {
            await lines.WriteLineAsync($"{sources.Repairs} raw control characters were escaped.");
        }

        return ExitCode.Success;
    }

    /// <summary>Writes all documents up to the end or to the first broken one, which it gives back.</summary>
    private static ImportFormatException? Feed(
        BulkInsert bulk, SourceSet sources, DocumentEnvelope envelope, Progress progress, TextWriter output)
    {
        long count = 0;
        bool isTold = false;
        try
        {
            while (!bulk.IsBroken && sources.TryRead(out ReadOnlyMemory<byte> document))
            {
                if (!envelope.TryIdentify(document.Span, out DocumentEnvelope.Identity identity, out string reason))
                {
                    return sources.Error(reason);
                }

                if (envelope.WithoutCollection > 0 && !isTold)
                {
                    // At once: an import of hours is better restarted in its first seconds.
                    isTold = true;
                    output.WriteLine(
                        $"Line {sources.CurrentLine} of {sources.CurrentName} has no collection, and none was given: "
                        + "such documents go to '@empty'.");
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
