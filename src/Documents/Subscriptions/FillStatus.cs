namespace Raven.Documents.Subscriptions;

/// <summary>Why the filling of a batch stopped.</summary>
internal enum FillStatus
{
    /// <summary>There are no more documents now.</summary>
    AtEnd,

    /// <summary>The batch is full.</summary>
    Full,

    /// <summary>It took long: it goes on in a younger snapshot.</summary>
    Paused,
}
