using Raven.CommandLine.Output;
using Raven.Storage.Checks;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;

namespace Raven.CommandLine.Inspect.Verbs;

/// <summary>
/// Opens an environment whose journal is damaged in the middle with the transactions before the damage; those behind it
/// are given up. Work on a copy of the folder.
/// </summary>
internal static class RecoverVerb
{
    internal static int Run(string folder, VerbOutput output)
    {
        TextWriter lines = output.Lines;
        if (!VerbRun.IsEnvironment(folder, lines))
        {
            return ExitCode.WrongUsage;
        }

        using StorageEnvironment environment = StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = new RealFileSystem(folder),
            KeepsWhatPrecedesDamage = true,
            OnEvent = happened => lines.WriteLine(happened.Message),
        });
        CheckReport report = output.Wait("Checking all pages", environment.Audit);
        foreach (string finding in report.Findings)
        {
            lines.WriteLine(finding);
        }

        output.Set("TransactionId", environment.LastTransactionId);
        output.Set("Findings", VerifyVerb.ListOf(report.Findings));
        lines.WriteLine(report.Findings.Count == 0
            ? $"Kept everything up to transaction {environment.LastTransactionId}. Now run: raven verify."
            : $"Transaction {environment.LastTransactionId} is what the journal leads to, with {report.Findings.Count} "
                + "findings: pages are damaged, or of later transactions whose journal is gone. Use an earlier copy of "
                + "the folder if there is one; if not, start a server on this one and run: raven export "
                + "--skip-damaged.");
        return report.Findings.Count == 0 ? ExitCode.Success : ExitCode.BrokenInput;
    }
}
