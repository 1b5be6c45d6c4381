using System.IO.Compression;
using Raven.CommandLine.Import.Input;
using Raven.CommandLine.Import.Server;
using Raven.CommandLine.Output;

namespace Raven.CommandLine.Import.Verbs;

/// <summary>
/// Writes a database as JSON lines, each document with its <c>@metadata</c>, as import reads them back.
/// </summary>
internal static class ExportVerb
{
    /// <summary>Exports to a file (packed if its name ends with .gz) or to <c>-</c>, standard output.</summary>
    internal static async Task<int> RunAsync(
        ServerClient server, string path, ExportOptions options, VerbOutput output)
    {
        TextWriter log = output.Lines;
        string? leftOut = await LeftOut.DescribeAsync(server);
        if (leftOut is not null && !options.DocumentsOnly)
        {
            await log.WriteLineAsync(
                $"Nothing was written: the file holds documents alone, and the database has besides {leftOut}. "
                + "--documents-only exports the documents without them; a file whose name ends with .ravendbdump has "
                + "everything.");
            return ExitCode.WrongUsage;
        }

        Progress progress = output.Begin(totalBytes: 0);
        var copy = new ExportCopy(options, progress);
        string unfinished = path + ".unfinished";
        bool isStandardOutput = path == "-";
        try
        {
            await progress.RunAsync("export", async () =>
            {
                using HttpResponseMessage response = await server.StreamDocumentsAsync(
                    options.StartsWith, options.SkipDamaged);
                await using Stream input = await response.Content.ReadAsStreamAsync();
                await using Stream target =
                    isStandardOutput ? Console.OpenStandardOutput() : new WrittenFile(unfinished);
                bool isPacked = path.EndsWith(".gz", StringComparison.OrdinalIgnoreCase);
                await using Stream packed = isPacked ? new GZipStream(target, CompressionLevel.Fastest) : target;
                copy.Run(input, packed);
                return true;
            });
        }
        catch (Exception failure) when (failure is ServerException or HttpRequestException or IOException
            or ImportFormatException)
        {
            await ReportFailureAsync(server, isStandardOutput ? null : unfinished, progress, failure, log);
            return failure is FileFailedException ? ExitCode.WrongUsage : ExitCode.ServerFailed;
        }

        // A file that bears its final name is whole, or lacks what is listed below.
        if (!isStandardOutput)
        {
            File.Move(unfinished, path, overwrite: true);
        }

        output.Set("Documents", progress.Documents);
        output.Set("Seconds", progress.Elapsed.TotalSeconds);
        await log.WriteLineAsync(progress.Describe());
        return await ReportGapsAsync(copy, leftOut, log);
    }

    private static async Task<int> ReportGapsAsync(ExportCopy copy, string? leftOut, TextWriter log)
    {
        foreach (string damaged in copy.Damaged)
        {
            await log.WriteLineAsync($"Skipped {damaged}");
        }

        if (leftOut is not null)
        {
            await log.WriteLineAsync(
                $"Not in the file: {leftOut}. The metadata is without @attachments, @counters and @flags.");
        }

        return copy.Damaged.Count == 0 ? ExitCode.Success : ExitCode.Incomplete;
    }

    /// <summary>
    /// Reports damage, if there is some, as an answer that had begun could not report it, what was written, and how
    /// to continue.
    /// </summary>
    private static async Task ReportFailureAsync(
        ServerClient server, string? file, Progress progress, Exception failure, TextWriter log)
    {
        string? damage = failure is FileFailedException ? null : await server.GetFaultAsync();
        await log.WriteLineAsync(
            $"The export stopped after {progress.Documents} documents: {damage ?? failure.Message}");
        if (file is not null && File.Exists(file))
        {
            await log.WriteLineAsync($"What was written is in {file}; its end may be missing.");
        }

        if (damage is not null)
        {
            await log.WriteLineAsync(
                "The database is damaged there. --skip-damaged exports all that can be read and lists what cannot.");
        }
    }
}
