namespace SlowTests;

/// <summary>
/// The traits that <c>build.sh ci</c> and <c>build.sh slow</c> select by. <c>[Trait(Category.Run, Category.Ci)]</c>
/// marks what CI runs besides the fast tests; <c>[Trait(Category.Shard, "storage")]</c> names the shard, which takes
/// at most 10 minutes.
/// </summary>
internal static class Category
{
    internal const string Run = "Run";
    internal const string Ci = "ci";
    internal const string Shard = "Shard";
}
