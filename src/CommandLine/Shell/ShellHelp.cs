namespace Raven.CommandLine.Shell;

/// <summary>The commands of the shell.</summary>
internal static class ShellHelp
{
    /// <summary>All of them.</summary>
    internal static readonly string[] Commands =
    [
        ".help", ".databases", ".use", ".collections", ".indexes", ".fields", ".json", ".table", ".limit", ".exit",
    ];

    /// <summary>What they do.</summary>
    internal const string Text = """
        A line is a query, such as: from Users where Name = 'Ada' order by Age
        Tab completes keywords, collections, indexes and fields; the arrows go through earlier lines.
        .databases         the databases            .use NAME          choose one
        .collections       its collections          .indexes           its indexes
        .fields NAME       fields of a collection   .limit N           how many results are shown (50)
        .json, .table      how they are shown       .exit              end; so does Ctrl+D
        """;
}
