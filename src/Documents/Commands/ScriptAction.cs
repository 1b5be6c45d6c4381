namespace Raven.Documents.Commands;

/// <summary>
/// The place of a script in a batch. Before the batch is submitted, and each time that its scripts run again, it is
/// replaced by what the script does.
/// </summary>
internal sealed class ScriptAction : BatchAction
{
    private readonly Func<BatchScript, bool> _run;

    /// <summary>A place.</summary>
    /// <param name="run">Runs the script and adds what it does to the batch; false where the batch fails.</param>
    internal ScriptAction(Func<BatchScript, bool> run) => _run = run;

    internal bool TryRun(BatchScript plan) => _run(plan);

    internal override void Execute(DocumentWriter writer, ref DocumentOperation operation) =>
        throw new InvalidOperationException("A script is submitted that was not planned.");

    internal override void Notify(DocumentWriter writer, in DocumentOperation operation)
    {
    }
}
