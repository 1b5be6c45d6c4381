using Raven.Client.Documents.Commands.Batches;

namespace Raven.Client.Documents.Session;

/// <summary>The content of one save: the commands, and the entity of each that has one.</summary>
internal sealed class SaveBatch
{
    internal List<ICommandData> Commands { get; } = [];

    /// <summary>The entity of each command; null if it has none.</summary>
    internal List<DocumentInfo?> Entities { get; } = [];

    internal void Add(ICommandData command, DocumentInfo? info = null)
    {
        Commands.Add(command);
        Entities.Add(info);
    }
}
