namespace Raven.CommandLine.Shell;

/// <summary>What may stand at a place of a line.</summary>
internal enum ShellPlaceKind
{
    /// <summary>A keyword.</summary>
    Keyword,

    /// <summary>A command of the shell.</summary>
    Command,

    /// <summary>The name of a database.</summary>
    Database,

    /// <summary>A collection.</summary>
    Collection,

    /// <summary>An index.</summary>
    Index,

    /// <summary>A field of the collection.</summary>
    Field,
}
