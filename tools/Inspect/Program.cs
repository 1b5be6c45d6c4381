using Raven.Tools.Inspect;

IInspectVerb[] verbs =
[
    .. typeof(IInspectVerb).Assembly.GetTypes()
        .Where(type => type.IsClass && type.IsAssignableTo(typeof(IInspectVerb)))
        .Select(type => (IInspectVerb)Activator.CreateInstance(type)!)
        .OrderBy(verb => verb.Name, StringComparer.Ordinal),
];
IInspectVerb? chosen = Array.Find(verbs, verb => args.Length > 0 && verb.Name == args[0]);
if (chosen is not null)
{
    return VerbRun.Run(chosen, args[1..], Console.Out);
}

// Requested help goes to standard output, and is no error.
bool isAsked = args is ["--help" or "-h" or "-?" or "help", ..];
TextWriter writer = isAsked ? Console.Out : Console.Error;
await writer.WriteLineAsync("Usage: Inspect VERB ARGUMENTS");
foreach (IInspectVerb verb in verbs)
{
    await writer.WriteLineAsync($"  {verb.Name} {verb.Usage}");
}

return isAsked ? 0 : 1;
