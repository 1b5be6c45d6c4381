namespace Raven.Server.Http.Commands;

/// <summary>What a command of a batch or a bulk insert does: its <c>Type</c>.</summary>
internal enum CommandKind
{
    /// <summary>The command has no <c>Type</c>.</summary>
    None,

    /// <summary>Writes a document.</summary>
    Put,

    /// <summary>Deletes a document.</summary>
    Delete,

    /// <summary>Keeps a bulk insert alive.</summary>
    HeartBeat,

    /// <summary>What a <see cref="Types.BatchCommandType"/> makes of it.</summary>
    Typed,

    /// <summary>No type of the HTTP API.</summary>
    Unknown,
}
