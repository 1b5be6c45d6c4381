namespace Raven.Documents;

/// <summary>The call of a database to what its subscriptions have in memory: it knows nothing of them.</summary>
internal interface IDatabaseSubscriptions
{
    /// <summary>Another node takes the writes from now on: ends all workers, which may connect again.</summary>
    void EndAll();
}
