using Raven.Client.Documents.Commands.Batches;

namespace Raven.Client.Documents.Session;

/// <summary>The content of one save: the commands, and the entity of each that has one.</summary>
internal sealed class SaveBatch
{
    internal List<ICommandData> Commands { get; } = [];

    /// <summary>As long as the commands; null if there is no entity.</summary>
    internal List<DocumentInfo?> Entities { get; } = [];

    internal void Add(ICommandData command, DocumentInfo? info = null)
    {
        Commands.Add(command);
        Entities.Add(info);
    }
}
