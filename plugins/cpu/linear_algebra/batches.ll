; Made of the C files of this folder by `python -m tools.native_ir`: not to be edited.
; clang version 22.1.8
; sources b14a263bc9d86f92cd112709fb8872b6947dd1d49c6edd67031d1418c19a34d1

%struct.Pair = type { i64, i64 }

define void @batch(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = alloca [16 x ptr], align 16
  %6 = alloca [32 x ptr], align 16
  %7 = load ptr, ptr %0, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %9 = load i64, ptr %7, align 8
  %10 = icmp slt i64 %1, %2
  br i1 %10, label %11, label %33

11:
  %12 = icmp sgt i64 %9, 0
  %13 = shl i64 %9, 5
  %14 = getelementptr inbounds i8, ptr %8, i64 %13
  %15 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %16 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %17 = getelementptr inbounds nuw i8, ptr %5, i64 24
  %18 = getelementptr inbounds nuw i8, ptr %5, i64 32
  %19 = getelementptr inbounds nuw i8, ptr %5, i64 40
  %20 = getelementptr inbounds nuw i8, ptr %5, i64 48
  %21 = getelementptr inbounds nuw i8, ptr %5, i64 56
  %22 = getelementptr inbounds nuw i8, ptr %5, i64 64
  %23 = getelementptr inbounds nuw i8, ptr %5, i64 72
  %24 = getelementptr inbounds nuw i8, ptr %5, i64 80
  %25 = getelementptr inbounds nuw i8, ptr %5, i64 88
  %26 = getelementptr inbounds nuw i8, ptr %5, i64 96
  %27 = getelementptr inbounds nuw i8, ptr %5, i64 104
  %28 = getelementptr inbounds nuw i8, ptr %5, i64 112
  %29 = getelementptr inbounds nuw i8, ptr %5, i64 120
  br label %30

30:
  %31 = phi i64 [ %1, %11 ], [ %469, %468 ]
  br i1 %12, label %471, label %32

32:
  br label %34

33:
  ret void

34:
  %35 = phi i8 [ %466, %464 ], [ 0, %32 ]
  %36 = phi ptr [ %467, %464 ], [ %14, %32 ]
  %37 = getelementptr inbounds nuw i8, ptr %36, i64 8
  %38 = load i64, ptr %36, align 8
  switch i64 %38, label %431 [
    i64 0, label %468
    i64 1, label %45
    i64 2, label %92
    i64 3, label %211
    i64 4, label %39
    i64 5, label %239
    i64 6, label %270
    i64 8, label %291
    i64 9, label %335
  ]

39:
  %40 = getelementptr inbounds nuw i8, ptr %36, i64 16
  %41 = load i64, ptr %40, align 8
  %42 = icmp sgt i64 %41, 0
  br i1 %42, label %43, label %464

43:
  %44 = getelementptr inbounds nuw i8, ptr %36, i64 24
  br label %221

45:
  %46 = trunc nuw i8 %35 to i1
  br i1 %46, label %464, label %47

47:
  br label %70

48:
  %49 = load i64, ptr %37, align 8
  %50 = inttoptr i64 %49 to ptr
  %51 = load ptr, ptr %5, align 16
  %52 = load ptr, ptr %15, align 8
  %53 = load ptr, ptr %16, align 16
  %54 = load ptr, ptr %17, align 8
  %55 = load ptr, ptr %18, align 16
  %56 = load ptr, ptr %19, align 8
  %57 = load ptr, ptr %20, align 16
  %58 = load ptr, ptr %21, align 8
  %59 = load ptr, ptr %22, align 16
  %60 = load ptr, ptr %23, align 8
  %61 = load ptr, ptr %24, align 16
  %62 = load ptr, ptr %25, align 8
  %63 = load ptr, ptr %26, align 16
  %64 = load ptr, ptr %27, align 8
  %65 = load ptr, ptr %28, align 16
  %66 = load ptr, ptr %29, align 8
  tail call void %50(ptr %51, ptr %52, ptr %53, ptr %54, ptr %55, ptr %56, ptr %57, ptr %58, ptr %59, ptr %60, ptr %61, ptr %62, ptr %63, ptr %64, ptr %65, ptr %66)
  %67 = getelementptr inbounds nuw i8, ptr %36, i64 16
  %68 = load i64, ptr %67, align 8
  %69 = icmp sgt i64 %68, -1
  br i1 %69, label %84, label %90

70:
  %71 = phi i64 [ 0, %47 ], [ %82, %79 ]
  %72 = getelementptr inbounds nuw i64, ptr %37, i64 %71
  %73 = getelementptr inbounds nuw i8, ptr %72, i64 16
  %74 = load i64, ptr %73, align 8
  %75 = icmp slt i64 %74, 0
  br i1 %75, label %79, label %76

76:
  %77 = getelementptr inbounds nuw ptr, ptr %6, i64 %74
  %78 = load ptr, ptr %77, align 8
  br label %79

79:
  %80 = phi ptr [ %78, %76 ], [ null, %70 ]
  %81 = getelementptr inbounds nuw ptr, ptr %5, i64 %71
  store ptr %80, ptr %81, align 8
  %82 = add nuw nsw i64 %71, 1
  %83 = icmp eq i64 %82, 16
  br i1 %83, label %48, label %70

84:
  %85 = getelementptr inbounds nuw ptr, ptr %6, i64 %68
  %86 = load ptr, ptr %85, align 8
  %87 = load i32, ptr %86, align 4
  %88 = icmp ne i32 %87, 0
  %89 = zext i1 %88 to i8
  br label %90

90:
  %91 = phi i8 [ 0, %48 ], [ %89, %84 ]
  br label %464

92:
  %93 = getelementptr inbounds nuw i8, ptr %36, i64 32
  %94 = load i64, ptr %93, align 8
  %95 = getelementptr inbounds ptr, ptr %6, i64 %94
  %96 = load ptr, ptr %95, align 8
  %97 = getelementptr inbounds nuw i8, ptr %36, i64 40
  %98 = load i64, ptr %97, align 8
  %99 = getelementptr inbounds ptr, ptr %6, i64 %98
  %100 = load ptr, ptr %99, align 8
  %101 = load i64, ptr %37, align 8
  %102 = getelementptr inbounds nuw i8, ptr %36, i64 16
  %103 = load i64, ptr %102, align 8
  %104 = getelementptr inbounds nuw i8, ptr %36, i64 24
  %105 = load i64, ptr %104, align 8
  %106 = icmp sgt i64 %103, 0
  switch i64 %101, label %177 [
    i64 4, label %107
    i64 8, label %142
  ]

107:
  br i1 %106, label %108, label %464

108:
  %109 = icmp sgt i64 %105, 0
  br label %110

110:
  %111 = phi i64 [ 16, %108 ], [ %121, %118 ]
  %112 = phi i64 [ 0, %108 ], [ %119, %118 ]
  %113 = tail call i64 @llvm.smin.i64(i64 %103, i64 %111)
  br i1 %109, label %114, label %118

114:
  %115 = phi i64 [ %130, %127 ], [ 16, %110 ]
  %116 = phi i64 [ %128, %127 ], [ 0, %110 ]
  %117 = tail call i64 @llvm.smin.i64(i64 %105, i64 %115)
  br label %122

118:
  %119 = add nuw nsw i64 %112, 16
  %120 = icmp slt i64 %119, %103
  %121 = add nuw i64 %111, 16
  br i1 %120, label %110, label %464

122:
  %123 = phi i64 [ %112, %114 ], [ %132, %131 ]
  %124 = getelementptr i32, ptr %100, i64 %123
  %125 = mul i64 %123, %105
  %126 = getelementptr i32, ptr %96, i64 %125
  br label %134

127:
  %128 = add nuw nsw i64 %116, 16
  %129 = icmp slt i64 %128, %105
  %130 = add nuw i64 %115, 16
  br i1 %129, label %114, label %118

131:
  %132 = add nuw nsw i64 %123, 1
  %133 = icmp eq i64 %132, %113
  br i1 %133, label %127, label %122

134:
  %135 = phi i64 [ %116, %122 ], [ %140, %134 ]
  %136 = getelementptr i32, ptr %126, i64 %135
  %137 = load i32, ptr %136, align 4
  %138 = mul i64 %135, %103
  %139 = getelementptr i32, ptr %124, i64 %138
  store i32 %137, ptr %139, align 4
  %140 = add nuw nsw i64 %135, 1
  %141 = icmp eq i64 %140, %117
  br i1 %141, label %131, label %134

142:
  br i1 %106, label %143, label %464

143:
  %144 = icmp sgt i64 %105, 0
  br label %145

145:
  %146 = phi i64 [ 16, %143 ], [ %156, %153 ]
  %147 = phi i64 [ 0, %143 ], [ %154, %153 ]
  %148 = tail call i64 @llvm.smin.i64(i64 %103, i64 %146)
  br i1 %144, label %149, label %153

149:
  %150 = phi i64 [ %165, %162 ], [ 16, %145 ]
  %151 = phi i64 [ %163, %162 ], [ 0, %145 ]
  %152 = tail call i64 @llvm.smin.i64(i64 %105, i64 %150)
  br label %157

153:
  %154 = add nuw nsw i64 %147, 16
  %155 = icmp slt i64 %154, %103
  %156 = add nuw i64 %146, 16
  br i1 %155, label %145, label %464

157:
  %158 = phi i64 [ %147, %149 ], [ %167, %166 ]
  %159 = getelementptr i64, ptr %100, i64 %158
  %160 = mul i64 %158, %105
  %161 = getelementptr i64, ptr %96, i64 %160
  br label %169

162:
  %163 = add nuw nsw i64 %151, 16
  %164 = icmp slt i64 %163, %105
  %165 = add nuw i64 %150, 16
  br i1 %164, label %149, label %153

166:
  %167 = add nuw nsw i64 %158, 1
  %168 = icmp eq i64 %167, %148
  br i1 %168, label %162, label %157

169:
  %170 = phi i64 [ %151, %157 ], [ %175, %169 ]
  %171 = getelementptr i64, ptr %161, i64 %170
  %172 = load i64, ptr %171, align 8
  %173 = mul i64 %170, %103
  %174 = getelementptr i64, ptr %159, i64 %173
  store i64 %172, ptr %174, align 8
  %175 = add nuw nsw i64 %170, 1
  %176 = icmp eq i64 %175, %152
  br i1 %176, label %166, label %169

177:
  br i1 %106, label %178, label %464

178:
  %179 = icmp sgt i64 %105, 0
  br label %180

180:
  %181 = phi i64 [ 16, %178 ], [ %191, %188 ]
  %182 = phi i64 [ 0, %178 ], [ %189, %188 ]
  %183 = tail call i64 @llvm.smin.i64(i64 %103, i64 %181)
  br i1 %179, label %184, label %188

184:
  %185 = phi i64 [ %200, %197 ], [ 16, %180 ]
  %186 = phi i64 [ %198, %197 ], [ 0, %180 ]
  %187 = tail call i64 @llvm.smin.i64(i64 %105, i64 %185)
  br label %192

188:
  %189 = add nuw nsw i64 %182, 16
  %190 = icmp slt i64 %189, %103
  %191 = add nuw i64 %181, 16
  br i1 %190, label %180, label %464

192:
  %193 = phi i64 [ %182, %184 ], [ %202, %201 ]
  %194 = getelementptr %struct.Pair, ptr %100, i64 %193
  %195 = mul i64 %193, %105
  %196 = getelementptr %struct.Pair, ptr %96, i64 %195
  br label %204

197:
  %198 = add nuw nsw i64 %186, 16
  %199 = icmp slt i64 %198, %105
  %200 = add nuw i64 %185, 16
  br i1 %199, label %184, label %188

201:
  %202 = add nuw nsw i64 %193, 1
  %203 = icmp eq i64 %202, %183
  br i1 %203, label %197, label %192

204:
  %205 = phi i64 [ %186, %192 ], [ %209, %204 ]
  %206 = mul i64 %205, %103
  %207 = getelementptr %struct.Pair, ptr %194, i64 %206
  %208 = getelementptr %struct.Pair, ptr %196, i64 %205
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 %207, ptr align 8 %208, i64 16, i1 false)
  %209 = add nuw nsw i64 %205, 1
  %210 = icmp eq i64 %209, %187
  br i1 %210, label %201, label %204

211:
  %212 = getelementptr inbounds nuw i8, ptr %36, i64 24
  %213 = load i64, ptr %212, align 8
  %214 = getelementptr inbounds ptr, ptr %6, i64 %213
  %215 = load ptr, ptr %214, align 8
  %216 = getelementptr inbounds nuw i8, ptr %36, i64 16
  %217 = load i64, ptr %216, align 8
  %218 = getelementptr inbounds ptr, ptr %6, i64 %217
  %219 = load ptr, ptr %218, align 8
  %220 = load i64, ptr %37, align 8
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 1 %215, ptr align 1 %219, i64 %220, i1 false)
  br label %464

221:
  %222 = phi i64 [ %41, %43 ], [ %237, %221 ]
  %223 = phi i64 [ 0, %43 ], [ %236, %221 ]
  %224 = load i64, ptr %44, align 8
  %225 = getelementptr inbounds ptr, ptr %6, i64 %224
  %226 = load ptr, ptr %225, align 8
  %227 = load i64, ptr %37, align 8
  %228 = add i64 %222, 1
  %229 = mul i64 %228, %223
  %230 = add i64 %229, 1
  %231 = mul i64 %227, %230
  %232 = getelementptr inbounds i8, ptr %226, i64 %231
  %233 = xor i64 %223, -1
  %234 = add i64 %222, %233
  %235 = mul i64 %227, %234
  tail call void @llvm.memset.p0.i64(ptr align 1 %232, i8 0, i64 %235, i1 false)
  %236 = add nuw nsw i64 %223, 1
  %237 = load i64, ptr %40, align 8
  %238 = icmp slt i64 %236, %237
  br i1 %238, label %221, label %464

239:
  %240 = trunc nuw i8 %35 to i1
  br i1 %240, label %464, label %241

241:
  %242 = getelementptr inbounds nuw i8, ptr %36, i64 32
  %243 = load i64, ptr %242, align 8
  %244 = getelementptr inbounds ptr, ptr %6, i64 %243
  %245 = load ptr, ptr %244, align 8
  %246 = getelementptr inbounds nuw i8, ptr %36, i64 16
  %247 = load i64, ptr %246, align 8
  %248 = getelementptr inbounds nuw i8, ptr %36, i64 24
  %249 = load i64, ptr %248, align 8
  %250 = load i64, ptr %37, align 8
  %251 = icmp eq i64 %250, 0
  %252 = icmp slt i64 %247, 1
  br i1 %252, label %464, label %256

253:
  %254 = add nuw nsw i64 %257, 1
  %255 = icmp eq i64 %254, %247
  br i1 %255, label %464, label %256

256:
  %257 = phi i64 [ %254, %253 ], [ 0, %241 ]
  %258 = mul i64 %257, %249
  br i1 %251, label %262, label %259

259:
  %260 = getelementptr inbounds double, ptr %245, i64 %258
  %261 = load double, ptr %260, align 8
  br label %266

262:
  %263 = getelementptr inbounds float, ptr %245, i64 %258
  %264 = load float, ptr %263, align 4
  %265 = fpext float %264 to double
  br label %266

266:
  %267 = phi double [ %261, %259 ], [ %265, %262 ]
  %268 = fsub double %267, %267
  %269 = fcmp oeq double %268, 0.000000e+00
  br i1 %269, label %253, label %464

270:
  %271 = trunc nuw i8 %35 to i1
  br i1 %271, label %272, label %464

272:
  %273 = getelementptr inbounds nuw i8, ptr %36, i64 24
  %274 = load i64, ptr %273, align 8
  %275 = getelementptr inbounds ptr, ptr %6, i64 %274
  %276 = load ptr, ptr %275, align 8
  %277 = getelementptr inbounds nuw i8, ptr %36, i64 16
  %278 = load i64, ptr %277, align 8
  %279 = load i64, ptr %37, align 8
  %280 = icmp eq i64 %279, 0
  %281 = icmp sgt i64 %278, 0
  br i1 %281, label %282, label %464

282:
  %283 = phi i64 [ %289, %288 ], [ 0, %272 ]
  br i1 %280, label %286, label %284

284:
  %285 = getelementptr inbounds nuw double, ptr %276, i64 %283
  store double 0x7FF8000000000000, ptr %285, align 8
  br label %288

286:
  %287 = getelementptr inbounds nuw float, ptr %276, i64 %283
  store float 0x7FF8000000000000, ptr %287, align 4
  br label %288

288:
  %289 = add nuw nsw i64 %283, 1
  %290 = icmp eq i64 %289, %278
  br i1 %290, label %464, label %282

291:
  %292 = getelementptr inbounds nuw i8, ptr %36, i64 24
  %293 = load i64, ptr %292, align 8
  %294 = getelementptr inbounds ptr, ptr %6, i64 %293
  %295 = load ptr, ptr %294, align 8
  %296 = getelementptr inbounds nuw i8, ptr %36, i64 32
  %297 = load i64, ptr %296, align 8
  %298 = getelementptr inbounds ptr, ptr %6, i64 %297
  %299 = load ptr, ptr %298, align 8
  %300 = getelementptr inbounds nuw i8, ptr %36, i64 40
  %301 = load i64, ptr %300, align 8
  %302 = getelementptr inbounds ptr, ptr %6, i64 %301
  %303 = load ptr, ptr %302, align 8
  %304 = trunc nuw i8 %35 to i1
  br i1 %304, label %464, label %305

305:
  %306 = load i64, ptr %37, align 8
  %307 = icmp eq i64 %306, 0
  %308 = getelementptr inbounds nuw i8, ptr %36, i64 16
  %309 = load i64, ptr %308, align 8
  %310 = icmp sgt i64 %309, 0
  br i1 %307, label %323, label %311

311:
  br i1 %310, label %312, label %464

312:
  %313 = phi i64 [ %321, %312 ], [ 0, %311 ]
  %314 = getelementptr inbounds nuw double, ptr %295, i64 %313
  %315 = load double, ptr %314, align 8
  %316 = shl i64 %313, 4
  %317 = getelementptr inbounds i8, ptr %303, i64 %316
  store double %315, ptr %317, align 8
  %318 = getelementptr inbounds nuw double, ptr %299, i64 %313
  %319 = load double, ptr %318, align 8
  %320 = getelementptr i8, ptr %317, i64 8
  store double %319, ptr %320, align 8
  %321 = add nuw nsw i64 %313, 1
  %322 = icmp eq i64 %321, %309
  br i1 %322, label %464, label %312

323:
  br i1 %310, label %324, label %464

324:
  %325 = phi i64 [ %333, %324 ], [ 0, %323 ]
  %326 = getelementptr inbounds nuw float, ptr %295, i64 %325
  %327 = load float, ptr %326, align 4
  %328 = shl i64 %325, 3
  %329 = getelementptr inbounds i8, ptr %303, i64 %328
  store float %327, ptr %329, align 4
  %330 = getelementptr inbounds nuw float, ptr %299, i64 %325
  %331 = load float, ptr %330, align 4
  %332 = getelementptr i8, ptr %329, i64 4
  store float %331, ptr %332, align 4
  %333 = add nuw nsw i64 %325, 1
  %334 = icmp eq i64 %333, %309
  br i1 %334, label %464, label %324

335:
  %336 = getelementptr inbounds nuw i8, ptr %36, i64 24
  %337 = load i64, ptr %336, align 8
  %338 = getelementptr inbounds ptr, ptr %6, i64 %337
  %339 = load ptr, ptr %338, align 8
  %340 = getelementptr inbounds nuw i8, ptr %36, i64 32
  %341 = load i64, ptr %340, align 8
  %342 = getelementptr inbounds ptr, ptr %6, i64 %341
  %343 = load ptr, ptr %342, align 8
  %344 = getelementptr inbounds nuw i8, ptr %36, i64 40
  %345 = load i64, ptr %344, align 8
  %346 = getelementptr inbounds ptr, ptr %6, i64 %345
  %347 = load ptr, ptr %346, align 8
  %348 = trunc nuw i8 %35 to i1
  br i1 %348, label %464, label %349

349:
  %350 = load i64, ptr %37, align 8
  %351 = icmp eq i64 %350, 0
  %352 = getelementptr inbounds nuw i8, ptr %36, i64 16
  %353 = load i64, ptr %352, align 8
  %354 = icmp sgt i64 %353, 0
  br i1 %351, label %393, label %355

355:
  br i1 %354, label %358, label %464

356:
  %357 = icmp eq i64 %368, %353
  br i1 %357, label %464, label %358

358:
  %359 = phi i64 [ %368, %356 ], [ 0, %355 ]
  %360 = getelementptr inbounds nuw double, ptr %339, i64 %359
  %361 = load double, ptr %360, align 8
  %362 = fcmp ogt double %361, 0.000000e+00
  %363 = fcmp olt double %361, 0.000000e+00
  %364 = sext i1 %363 to i64
  %365 = add i64 %359, %364
  %366 = mul i64 %365, %353
  %367 = getelementptr inbounds double, ptr %343, i64 %366
  %368 = add nuw nsw i64 %359, 1
  %369 = select i1 %362, i64 %368, i64 %359
  %370 = mul i64 %369, %353
  %371 = getelementptr inbounds double, ptr %343, i64 %370
  br label %372

372:
  %373 = phi i64 [ %391, %388 ], [ 0, %358 ]
  %374 = getelementptr inbounds nuw double, ptr %367, i64 %373
  %375 = load double, ptr %374, align 8
  %376 = mul i64 %373, %353
  %377 = add i64 %376, %359
  %378 = shl i64 %377, 4
  %379 = getelementptr inbounds i8, ptr %347, i64 %378
  store double %375, ptr %379, align 8
  br i1 %362, label %380, label %383

380:
  %381 = getelementptr inbounds nuw double, ptr %371, i64 %373
  %382 = load double, ptr %381, align 8
  br label %388

383:
  br i1 %363, label %384, label %388

384:
  %385 = getelementptr inbounds nuw double, ptr %371, i64 %373
  %386 = load double, ptr %385, align 8
  %387 = fneg double %386
  br label %388

388:
  %389 = phi double [ %382, %380 ], [ %387, %384 ], [ 0.000000e+00, %383 ]
  %390 = getelementptr i8, ptr %379, i64 8
  store double %389, ptr %390, align 8
  %391 = add nuw nsw i64 %373, 1
  %392 = icmp eq i64 %391, %353
  br i1 %392, label %356, label %372

393:
  br i1 %354, label %396, label %464

394:
  %395 = icmp eq i64 %406, %353
  br i1 %395, label %464, label %396

396:
  %397 = phi i64 [ %406, %394 ], [ 0, %393 ]
  %398 = getelementptr inbounds nuw float, ptr %339, i64 %397
  %399 = load float, ptr %398, align 4
  %400 = fcmp ogt float %399, 0.000000e+00
  %401 = fcmp olt float %399, 0.000000e+00
  %402 = sext i1 %401 to i64
  %403 = add i64 %397, %402
  %404 = mul i64 %403, %353
  %405 = getelementptr inbounds float, ptr %343, i64 %404
  %406 = add nuw nsw i64 %397, 1
  %407 = select i1 %400, i64 %406, i64 %397
  %408 = mul i64 %407, %353
  %409 = getelementptr inbounds float, ptr %343, i64 %408
  br label %410

410:
  %411 = phi i64 [ %429, %426 ], [ 0, %396 ]
  %412 = getelementptr inbounds nuw float, ptr %405, i64 %411
  %413 = load float, ptr %412, align 4
  %414 = mul i64 %411, %353
  %415 = add i64 %414, %397
  %416 = shl i64 %415, 3
  %417 = getelementptr inbounds i8, ptr %347, i64 %416
  store float %413, ptr %417, align 4
  br i1 %400, label %418, label %421

418:
  %419 = getelementptr inbounds nuw float, ptr %409, i64 %411
  %420 = load float, ptr %419, align 4
  br label %426

421:
  br i1 %401, label %422, label %426

422:
  %423 = getelementptr inbounds nuw float, ptr %409, i64 %411
  %424 = load float, ptr %423, align 4
  %425 = fneg float %424
  br label %426

426:
  %427 = phi float [ %420, %418 ], [ %425, %422 ], [ 0.000000e+00, %421 ]
  %428 = getelementptr i8, ptr %417, i64 4
  store float %427, ptr %428, align 4
  %429 = add nuw nsw i64 %411, 1
  %430 = icmp eq i64 %429, %353
  br i1 %430, label %394, label %410

431:
  %432 = load i64, ptr %37, align 8
  %433 = getelementptr inbounds ptr, ptr %6, i64 %432
  %434 = load ptr, ptr %433, align 8
  %435 = getelementptr inbounds nuw i8, ptr %36, i64 16
  %436 = load i64, ptr %435, align 8
  %437 = getelementptr inbounds ptr, ptr %6, i64 %436
  %438 = load ptr, ptr %437, align 8
  %439 = getelementptr inbounds nuw i8, ptr %36, i64 24
  %440 = load i64, ptr %439, align 8
  %441 = getelementptr inbounds nuw i8, ptr %36, i64 32
  %442 = load i64, ptr %441, align 8
  %443 = icmp sgt i64 %442, 0
  br i1 %443, label %446, label %444

444:
  %445 = icmp sgt i64 %440, 0
  br i1 %445, label %452, label %464

446:
  %447 = phi i64 [ %450, %446 ], [ 0, %431 ]
  %448 = trunc i64 %447 to i32
  %449 = getelementptr inbounds nuw i32, ptr %438, i64 %447
  store i32 %448, ptr %449, align 4
  %450 = add nuw nsw i64 %447, 1
  %451 = icmp eq i64 %450, %442
  br i1 %451, label %444, label %446

452:
  %453 = phi i64 [ %462, %452 ], [ 0, %444 ]
  %454 = getelementptr inbounds nuw i32, ptr %434, i64 %453
  %455 = load i32, ptr %454, align 4
  %456 = add i32 %455, -1
  store i32 %456, ptr %454, align 4
  %457 = getelementptr inbounds nuw i32, ptr %438, i64 %453
  %458 = load i32, ptr %457, align 4
  %459 = sext i32 %456 to i64
  %460 = getelementptr inbounds i32, ptr %438, i64 %459
  %461 = load i32, ptr %460, align 4
  store i32 %461, ptr %457, align 4
  store i32 %458, ptr %460, align 4
  %462 = add nuw nsw i64 %453, 1
  %463 = icmp eq i64 %462, %440
  br i1 %463, label %464, label %452

464:
  %465 = phi i64 [ 152, %45 ], [ 32, %211 ], [ 32, %39 ], [ 32, %270 ], [ 48, %335 ], [ 48, %291 ], [ 40, %239 ], [ 48, %107 ], [ 152, %90 ], [ 48, %153 ], [ 48, %118 ], [ 48, %188 ], [ 48, %177 ], [ 48, %142 ], [ 32, %221 ], [ 40, %444 ], [ 40, %266 ], [ 40, %241 ], [ 32, %288 ], [ 32, %272 ], [ 48, %312 ], [ 48, %324 ], [ 48, %323 ], [ 48, %311 ], [ 40, %452 ], [ 48, %394 ], [ 48, %393 ], [ 48, %355 ], [ 40, %253 ], [ 48, %356 ]
  %466 = phi i8 [ 1, %45 ], [ %35, %211 ], [ %35, %39 ], [ 0, %270 ], [ 1, %335 ], [ 1, %291 ], [ 1, %239 ], [ %35, %107 ], [ %91, %90 ], [ %35, %153 ], [ %35, %118 ], [ %35, %188 ], [ %35, %177 ], [ %35, %142 ], [ %35, %221 ], [ %35, %444 ], [ 1, %266 ], [ 0, %241 ], [ 1, %288 ], [ 1, %272 ], [ 0, %312 ], [ 0, %324 ], [ 0, %323 ], [ 0, %311 ], [ %35, %452 ], [ 0, %394 ], [ 0, %393 ], [ 0, %355 ], [ 0, %253 ], [ 0, %356 ]
  %467 = getelementptr inbounds nuw i8, ptr %36, i64 %465
  br label %34

468:
  %469 = add nsw i64 %31, 1
  %470 = icmp eq i64 %469, %2
  br i1 %470, label %33, label %30

471:
  %472 = phi i64 [ %490, %471 ], [ 0, %30 ]
  %473 = shl i64 %472, 5
  %474 = getelementptr inbounds i8, ptr %8, i64 %473
  %475 = load i64, ptr %474, align 8
  %476 = getelementptr inbounds ptr, ptr %0, i64 %475
  %477 = load ptr, ptr %476, align 8
  %478 = getelementptr i8, ptr %474, i64 8
  %479 = load i64, ptr %478, align 8
  %480 = getelementptr inbounds i8, ptr %477, i64 %479
  %481 = getelementptr i8, ptr %474, i64 16
  %482 = load i64, ptr %481, align 8
  %483 = mul i64 %482, %31
  %484 = getelementptr inbounds i8, ptr %480, i64 %483
  %485 = getelementptr i8, ptr %474, i64 24
  %486 = load i64, ptr %485, align 8
  %487 = mul i64 %486, %3
  %488 = getelementptr inbounds i8, ptr %484, i64 %487
  %489 = getelementptr inbounds nuw ptr, ptr %6, i64 %472
  store ptr %488, ptr %489, align 8
  %490 = add nuw nsw i64 %472, 1
  %491 = icmp eq i64 %490, %9
  br i1 %491, label %32, label %471
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

declare i64 @llvm.smin.i64(i64, i64)
