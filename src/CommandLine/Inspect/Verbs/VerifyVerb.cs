using System.Text.Json.Nodes;
using Raven.CommandLine.Output;
using Raven.Storage.Checks;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;

namespace Raven.CommandLine.Inspect.Verbs;

/// <summary>
/// Checks a whole environment: every page owned once or free, keys in order, counts, checksums. Opens it as the server
/// does, so a journal that a crash left is applied first. That may write over a copy of the file header that was not
/// whole: what counts is how the open found it.
/// </summary>
internal static class VerifyVerb
{
    internal static int Run(string folder, VerbOutput output)
    {
        TextWriter lines = output.Lines;
        if (!VerbRun.IsEnvironment(folder, lines))
        {
            return ExitCode.WrongUsage;
        }

        using StorageEnvironment environment = StorageEnvironment.Open(
            new StorageOptions { FileSystem = new RealFileSystem(folder) });
        CheckReport report = output.Wait("Checking all pages", environment.Audit);
        StorageStatistics statistics = environment.GetStatistics();
        List<string> findings = [.. report.Findings];
        if (environment.Data.HeaderFinding is { } header)
        {
            findings.Insert(0, header);
        }

        foreach (string finding in findings)
        {
            lines.WriteLine(finding);
        }

        output.Set("TransactionId", statistics.LastTransactionId);
        if (environment.Log.LogHash != 0)
        {
            output.Set("Epoch", environment.Log.Epoch);
            output.Set("LogHash", $"{environment.Log.LogHash:x16}");
            lines.WriteLine($"epoch {environment.Log.Epoch}, log {environment.Log.LogHash:x16}");
        }

        output.Set("Pages", statistics.Pages);
        output.Set("FreePages", statistics.FreePages);
        output.Set("Entries", report.Entries);
        output.Set("Findings", ListOf(findings));
        lines.WriteLine(
            $"transaction {statistics.LastTransactionId}: {statistics.Pages} pages, {statistics.FreePages} free, " +
            $"{report.Entries} entries, {findings.Count} findings");
        return findings.Count == 0 ? ExitCode.Success : ExitCode.BrokenInput;
    }

    /// <summary>Texts as a list of JSON.</summary>
    internal static JsonArray ListOf(IEnumerable<string> texts) =>
        new([.. texts.Select(text => (JsonNode?)JsonValue.Create(text))]);
}
