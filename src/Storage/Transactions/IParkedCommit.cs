namespace Raven.Storage.Transactions;

/// <summary>Who is told what became of a commit that was parked (PARK-1).</summary>
internal interface IParkedCommit
{
    /// <summary>Called once, on the thread that decided.</summary>
    /// <param name="failure">Null if it was published.</param>
    void End(Exception? failure);
}
