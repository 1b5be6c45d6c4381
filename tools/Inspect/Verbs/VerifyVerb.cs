using Raven.Storage.Checks;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;

namespace Raven.Tools.Inspect.Verbs;

/// <summary>
/// Checks a whole environment: every page owned once or free, keys in order, counts, checksums. Opens it as the server
/// does, so a journal that a crash left is applied first. That may write over a copy of the file header that was not
/// whole: what counts is how the open found it.
/// </summary>
internal sealed class VerifyVerb : IInspectVerb
{
    /// <summary>The exit code if there are findings.</summary>
    internal const int DamageFound = 2;

    /// <inheritdoc/>
    public string Name => "verify";

    /// <inheritdoc/>
    public string Usage => "FOLDER    every page, key, count and checksum of an environment";

    /// <inheritdoc/>
    public int Run(string[] arguments, TextWriter output)
    {
        if (arguments.Length != 1 || !VerbRun.IsEnvironment(arguments[0], output))
        {
            output.WriteLine($"Usage: Inspect {Name} {Usage}");
            return 1;
        }

        using StorageEnvironment environment = StorageEnvironment.Open(
            new StorageOptions { FileSystem = new RealFileSystem(arguments[0]) });
        CheckReport report = environment.Audit();
        StorageStatistics statistics = environment.GetStatistics();
        List<string> findings = [.. report.Findings];
        if (environment.Data.HeaderFinding is { } header)
        {
            findings.Insert(0, header);
        }

        foreach (string finding in findings)
        {
            output.WriteLine(finding);
        }

        output.WriteLine(
            $"transaction {statistics.LastTransactionId}: {statistics.Pages} pages, {statistics.FreePages} free, " +
            $"{report.Entries} entries, {findings.Count} findings");
        return findings.Count == 0 ? 0 : DamageFound;
    }
}
