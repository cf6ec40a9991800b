// Program.cs: csharp-reverse, no contestant but a part of one: the parser of csharp-tuned under the C server. What it
// loses against c-tuned is parsing and its garbage collector's alone; what csharp-tuned loses beyond that is its server's.
using System.Runtime.CompilerServices;
using MatchRace.Reverse;

[assembly: DisableRuntimeMarshalling]

return NativeServe.Run(args);
