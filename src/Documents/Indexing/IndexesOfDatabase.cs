namespace Raven.Documents.Indexing;

/// <summary>The way from a database to its indexes, for all that stands above both.</summary>
public static class IndexesOfDatabase
{
    extension(Database database)
    {
        /// <summary>Its indexes.</summary>
        /// <exception cref="InvalidOperationException">It was made without indexing.</exception>
        public DatabaseIndexes Indexes => (DatabaseIndexes)(database.IndexesOrNone
            ?? throw new InvalidOperationException("The database was made without indexing."));
    }
}
