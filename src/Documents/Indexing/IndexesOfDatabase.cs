namespace Raven.Documents.Indexing;

/// <summary>Gives the indexes of a database to code above both: a database itself does not refer to indexes.</summary>
public static class IndexesOfDatabase
{
    extension(Database database)
    {
        /// <summary>The indexes of the database.</summary>
        /// <exception cref="InvalidOperationException">The database was made without indexing.</exception>
        public DatabaseIndexes Indexes => (DatabaseIndexes)(database.IndexesOrNone
            ?? throw new InvalidOperationException("The database was made without indexing."));
    }
}
