namespace Raven.Documents.Changes;

/// <summary>A connection that watches: takes the JSON of events, one at a time, and never waits.</summary>
public abstract class ChangeSink
{
    /// <summary>The number of the event that it was offered last, so that an event for two watches is
    /// sent once.</summary>
    internal long LastEvent { get; set; }

    /// <summary>What it watches. Changed by its <see cref="ChangesHub"/> alone, under its lock.</summary>
    public HashSet<ChangeWatch> Watches { get; } = [];

    /// <summary>Takes an event, or ends the connection if too much is waiting already.</summary>
    public abstract void Offer(ReadOnlySpan<byte> json);

    /// <summary>Ends the connection: it gets no more events.</summary>
    /// <param name="reason">Why, for the client.</param>
    public abstract void End(string reason);
}
