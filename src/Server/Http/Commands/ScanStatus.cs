namespace Raven.Server.Http.Commands;

/// <summary>What a <see cref="CommandScanner"/> did with the bytes it was given.</summary>
internal enum ScanStatus
{
    /// <summary>All bytes were taken; the next piece of the body is wanted.</summary>
    NeedMore,

    /// <summary>A command is complete; the bytes after it were not taken.</summary>
    Command,

    /// <summary>The list of commands has ended.</summary>
    End,

    /// <summary>The body is not valid.</summary>
    Invalid,
}
