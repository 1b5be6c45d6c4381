namespace Raven.Tools.Stress.Histories;

/// <summary>Why one transaction comes before another.</summary>
internal enum HistoryEdge
{
    /// <summary>It was answered before the other one was sent.</summary>
    Time,

    /// <summary>The other one appended behind it.</summary>
    WriteWrite,

    /// <summary>The other one read what it appended.</summary>
    WriteRead,

    /// <summary>It read what was there before the other one appended.</summary>
    ReadWrite,
}
