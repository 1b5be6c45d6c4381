namespace Raven.Tools.Stress.Histories;

/// <summary>What a client knows of a transaction.</summary>
public enum HistoryOutcome
{
    /// <summary>It was done.</summary>
    Done,

    /// <summary>It was surely not done.</summary>
    NotDone,

    /// <summary>Nobody knows: the connection was cut, or the answer said so.</summary>
    Perhaps,
}
