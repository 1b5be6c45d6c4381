namespace Raven.Server.Http.Commands;

/// <summary>How far a <see cref="CommandScanner"/> has come with the bytes it was given.</summary>
internal enum ScanStatus
{
    /// <summary>All bytes were taken; the next piece of the body is wanted.</summary>
    NeedMore,

    /// <summary>A command is complete; the bytes behind it were not taken.</summary>
    Command,

    /// <summary>The list of commands has ended.</summary>
    End,

    /// <summary>The body is not what it must be.</summary>
    Invalid,
}
