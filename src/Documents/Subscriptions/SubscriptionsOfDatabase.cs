using Raven.Documents.Queries;

namespace Raven.Documents.Subscriptions;

/// <summary>Gives the subscriptions of a database to code above both.</summary>
public static class SubscriptionsOfDatabase
{
    /// <summary>The subscriptions of a database.</summary>
    /// <param name="database">The database.</param>
    /// <param name="services">Runs their scripts, and lends memory; always the same of a database.</param>
    public static DatabaseSubscriptions Subscriptions(this Database database, QueryServices services) =>
        (DatabaseSubscriptions)database.SubscriptionsFor(
            made => new DatabaseSubscriptions(made, services));
}
