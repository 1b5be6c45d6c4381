namespace Shared.Storage.Structures;

/// <summary>How lists of operations are played.</summary>
/// <param name="Keys">How many keys there are.</param>
internal sealed record ModelSettings(int Keys)
{
    /// <summary>Whether each commit is audited.</summary>
    internal bool Audits { get; init; } = true;

    /// <summary>Threads that read beside the writer.</summary>
    internal int Readers { get; init; }
}
