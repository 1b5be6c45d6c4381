namespace Raven.Documents.Commands;

/// <summary>Changes nothing: when it is done, all commands that began before it are committed.</summary>
internal sealed class BarrierCommand : DocumentCommand
{
    private protected override void Execute(DocumentWriter writer)
    {
    }
}
