using Raven.Storage.Checks;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;

namespace Raven.Tools.Inspect.Verbs;

/// <summary>
/// Opens an environment whose journal is damaged in the middle with the transactions before the damage; those behind it
/// are given up. Work on a copy of the folder.
/// </summary>
internal sealed class RecoverVerb : IInspectVerb
{
    /// <inheritdoc/>
    public string Name => "recover";

    /// <inheritdoc/>
    public string Usage => "FOLDER --give-up-what-follows    keeps what comes before damage in the journal";

    /// <inheritdoc/>
    public int Run(string[] arguments, TextWriter output)
    {
        if (arguments is not [var folder, "--give-up-what-follows"] || !VerbRun.IsEnvironment(folder, output))
        {
            output.WriteLine($"Usage: Inspect {Name} {Usage}");
            return 1;
        }

        using StorageEnvironment environment = StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = new RealFileSystem(folder),
            KeepsWhatPrecedesDamage = true,
            OnEvent = happened => output.WriteLine(happened.Message),
        });
        CheckReport report = environment.Audit();
        foreach (string finding in report.Findings)
        {
            output.WriteLine(finding);
        }

        output.WriteLine(report.Findings.Count == 0
            ? $"Kept everything up to transaction {environment.LastTransactionId}. Now run: Inspect verify."
            : $"Transaction {environment.LastTransactionId} is what the journal leads to, with {report.Findings.Count} "
                + "findings: pages are damaged, or of later transactions whose journal is gone. Use an earlier copy of "
                + "the folder if there is one; if not, start a server on this one and run: Import export "
                + "--skip-damaged.");
        return report.Findings.Count == 0 ? 0 : VerifyVerb.DamageFound;
    }
}
