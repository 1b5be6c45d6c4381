using System.Buffers;
using System.IO.Compression;
using Raven.Tools.Import.Input;
using Raven.Tools.Import.Server;

namespace Raven.Tools.Import.Verbs;

/// <summary>
/// Writes a database as JSON lines, each document with its <c>@metadata</c>, as import reads them back.
/// </summary>
internal static class ExportVerb
{
    /// <summary>Exports to a file (packed if its name ends with .gz) or to <c>-</c>, standard output.</summary>
    internal static async Task<int> RunAsync(
        ServerClient server, string path, string? collection, string? startsWith, TextWriter log, bool isInteractive)
    {
        var progress = new Progress(log, isInteractive, totalBytes: 0);
        string unfinished = path + ".unfinished";
        try
        {
            bool isStandardOutput = path == "-";
            await progress.RunAsync("export", async () =>
            {
                using HttpResponseMessage response = await server.StreamDocumentsAsync(startsWith);
                await using Stream input = await response.Content.ReadAsStreamAsync();
                await using Stream output = isStandardOutput ? Console.OpenStandardOutput() : File.Create(unfinished);
                bool isPacked = path.EndsWith(".gz", StringComparison.OrdinalIgnoreCase);
                await using Stream packed = isPacked ? new GZipStream(output, CompressionLevel.Fastest) : output;
                Copy(input, packed, collection, progress);
                return true;
            });

            // A file that bears its final name is whole.
            if (!isStandardOutput)
            {
                File.Move(unfinished, path, overwrite: true);
            }

            await log.WriteLineAsync(progress.Describe());
            return ExitCode.Success;
        }
        catch (Exception failure) when (failure is ServerException or HttpRequestException or IOException
            or ImportFormatException)
        {
            await log.WriteLineAsync($"The export stopped after {progress.Documents} documents: {failure.Message}");
            return ExitCode.ServerFailed;
        }
    }

    /// <summary>
    /// Copies line by line. Every line is checked to be a whole document: an answer that was cut must not become a file
    /// that looks like an export.
    /// </summary>
    internal static void Copy(Stream input, Stream output, string? collection, Progress progress)
    {
        using var source = new JsonLinesSource(new InputBuffer("the server's answer", input, 1024 * 1024));
        var buffer = new ArrayBufferWriter<byte>(1024 * 1024);
        long count = 0, bytes = 0;
        while (source.TryRead(out ReadOnlyMemory<byte> document))
        {
            DocumentFacts facts = DocumentFacts.Read(document.Span, null, null);
            if (facts.Id is null)
            {
                throw new ImportFormatException(
                    "the server's answer", source.Line, 1, "the document has no @metadata.@id");
            }

            if (collection is not null
                && !string.Equals(collection, facts.Collection, StringComparison.OrdinalIgnoreCase))
            {
                continue;
            }

            buffer.Write(document.Span);
            buffer.Write("\n"u8);
            bytes += document.Length;
            progress.Report(++count, bytes, bytes);
            if (buffer.WrittenCount >= 512 * 1024)
            {
                output.Write(buffer.WrittenSpan);
                buffer.ResetWrittenCount();
            }
        }

        output.Write(buffer.WrittenSpan);
        output.Flush();
    }
}
