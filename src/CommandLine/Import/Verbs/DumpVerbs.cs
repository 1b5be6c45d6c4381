using System.Net;
using System.Text.Json;
using Raven.CommandLine.Import.Input;
using Raven.CommandLine.Import.Server;
using Raven.CommandLine.Output;

namespace Raven.CommandLine.Import.Verbs;

/// <summary>
/// Exports and imports whole databases as dumps: what the server writes is copied as it comes, and dumps are sent as
/// they are.
/// </summary>
internal static class DumpVerbs
{
    private const string Extension = ".ravendbdump";
    private const int BufferBytes = 128 * 1024;

    /// <summary>Whether a file is a dump by its name; ours are compressed inside.</summary>
    internal static bool IsDump(string path) => path.EndsWith(Extension, StringComparison.OrdinalIgnoreCase);

    /// <summary>Exports into a file, which bears its name only when it is whole.</summary>
    internal static async Task<int> ExportAsync(
        ServerClient server, string path, ExportOptions options, VerbOutput output)
    {
        TextWriter lines = output.Lines;
        Progress progress = output.Begin(totalBytes: 0);
        string unfinished = path + ".unfinished";
        long operation = await server.NextOperationAsync();
        try
        {
            await progress.RunAsync("export", async () =>
            {
                using HttpResponseMessage response = await server.ExportAsync(operation, WantedOf(options));
                await using Stream dump = await response.Content.ReadAsStreamAsync();
                await using var target = new WrittenFile(unfinished);
                byte[] buffer = new byte[BufferBytes];
                long copied = 0;
                for (int read; (read = await dump.ReadAsync(buffer)) > 0;)
                {
                    await target.WriteAsync(buffer.AsMemory(0, read));
                    copied += read;
                    progress.Report(0, copied, copied);
                }

                return true;
            });
        }
        catch (Exception failure) when (failure is ServerException or HttpRequestException or IOException)
        {
            // The server only knows that nobody has read on.
            string? reason = failure is FileFailedException ? null : await server.GetFailureAsync(operation);
            await lines.WriteLineAsync($"The export stopped: {reason ?? failure.Message}");
            if (File.Exists(unfinished))
            {
                await lines.WriteLineAsync($"What was written is in {unfinished}; it is no whole dump.");
            }

            return failure is FileFailedException ? ExitCode.WrongUsage : ExitCode.ServerFailed;
        }

        File.Move(unfinished, path, overwrite: true);
        using JsonDocument? result = await server.GetResultAsync(operation);
        return await ReportAsync(result, progress, output) > 0 ? ExitCode.Incomplete : ExitCode.Success;
    }

    /// <summary>Imports files one after the other.</summary>
    internal static async Task<int> ImportAsync(
        ServerClient server, IReadOnlyList<string> files, VerbOutput output)
    {
        TextWriter lines = output.Lines;
        foreach (string path in files)
        {
            long operation = await server.NextOperationAsync();
            await using Stream file = path == "-" ? Console.OpenStandardInput() : File.OpenRead(path);
            Progress progress = output.Begin(file.CanSeek ? file.Length : 0);
            try
            {
                using JsonDocument result = await progress.RunAsync(
                    "import", () => server.ImportAsync(operation, new ReportedStream(file, progress)));
                await ReportAsync(result, progress, output);
            }
            catch (Exception failure) when (failure is ServerException { IsDatabaseMissing: false }
                or HttpRequestException or IOException)
            {
                string reason = await server.GetFailureAsync(operation) ?? failure.Message;
                await lines.WriteLineAsync($"The import of {path} failed: {reason}");
                return failure is ServerException { Status: HttpStatusCode.BadRequest }
                    ? ExitCode.BrokenInput
                    : ExitCode.ServerFailed;
            }
        }

        return ExitCode.Success;
    }

    private static Dictionary<string, object> WantedOf(ExportOptions options)
    {
        var wanted = new Dictionary<string, object>
        {
            ["CompressionAlgorithm"] = options.Compression,
            ["SkipCorruptedData"] = options.SkipDamaged,
        };
        if (options.Collection is { } collection)
        {
            wanted["Collections"] = new[] { collection };
        }

        if (options.DocumentsOnly)
        {
            wanted["OperateOnTypes"] = "Documents";
        }

        return wanted;
    }

    /// <summary>Says what was done, and what was left out.</summary>
    /// <returns>How many items could not be taken.</returns>
    private static async Task<long> ReportAsync(
        JsonDocument? result, Progress progress, VerbOutput output)
    {
        long errors = 0;
        if (result is not null)
        {
            foreach (JsonProperty section in result.RootElement.EnumerateObject())
            {
                if (section.Value.ValueKind == JsonValueKind.Object
                    && section.Value.TryGetProperty("ReadCount", out JsonElement count))
                {
                    long read = count.GetInt64();
                    errors += section.Value.GetProperty("ErroredCount").GetInt64();
                    output.Set(section.Name, read);
                    if (read > 0 && section.Name != "Documents")
                    {
                        await output.Lines.WriteLineAsync($"{section.Name}: {read}");
                    }
                }
            }

            progress.Report(result.RootElement.GetProperty("Documents").GetProperty("ReadCount").GetInt64(), 0, 0);
            foreach (JsonElement message in result.RootElement.GetProperty("Messages").EnumerateArray())
            {
                await output.Lines.WriteLineAsync(message.ToString());
            }
        }

        output.Set("Documents", progress.Documents);
        output.Set("Seconds", progress.Elapsed.TotalSeconds);
        await output.Lines.WriteLineAsync(progress.Describe());
        return errors;
    }

    /// <summary>Shows how far a file is sent.</summary>
    private sealed class ReportedStream(Stream inner, Progress progress) : ReadOnlyStream
    {
        private long _read;

        public override int Read(Span<byte> buffer)
        {
            int read = inner.Read(buffer);
            _read += read;
            progress.Report(0, _read, _read);
            return read;
        }
    }
}
