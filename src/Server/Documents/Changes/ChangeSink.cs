namespace Raven.Server.Documents.Changes;

/// <summary>Who watches: takes the JSON of events, one at a time, and never waits.</summary>
internal abstract class ChangeSink
{
    /// <summary>The number of the event that it was offered last, so that what two watches want comes once.</summary>
    internal long LastEvent { get; set; }

    /// <summary>What it watches. Changed by its <see cref="ChangesHub"/> alone, under its lock.</summary>
    internal HashSet<ChangeWatch> Watches { get; } = [];

    /// <summary>Takes an event, or ends where too much is waiting already.</summary>
    internal abstract void Offer(ReadOnlySpan<byte> json);

    /// <summary>It will be told of nothing more.</summary>
    /// <param name="reason">Why, for the client.</param>
    internal abstract void End(string reason);
}
